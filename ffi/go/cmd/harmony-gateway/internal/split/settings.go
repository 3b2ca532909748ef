package split

import "harmony-stream/ffi/go"

// Settings say how to split.
type Settings struct {
	// Parser is for the parsers; its Input and MaxBytes are set by this package.
	Parser harmony.Options
	// Reasoning is the field that carries reasoning in the OpenAI format: reasoning_content or reasoning.
	Reasoning string
	// MaxEvent limits an event or line, in bytes. At a longer one splitting ends, and the rest passes as it is.
	MaxEvent int
	// MaxTranscript limits the text of a choice, in bytes. What comes behind it passes as it is.
	MaxTranscript int
	// MaxHeld limits the events that wait for a decision, in bytes. Choices that would keep more waiting pass as they are.
	MaxHeld int
	// MaxChoices limits how many choices of a response are read. Others pass as they are.
	MaxChoices int
	// Detect looks for protocol that leaked into what goes out.
	Detect bool
}

// Defaults repair what deviates from the grammar, since a client can't take text back.
func Defaults() Settings {
	return Settings{
		Parser: harmony.Lenient(), Reasoning: "reasoning_content",
		MaxEvent: 16 << 20, MaxTranscript: 16 << 20, MaxHeld: 16 << 20, MaxChoices: 128,
	}
}

func (s *Settings) options() harmony.Options {
	options := s.Parser
	options.Input, options.MaxBytes = harmony.InputText, uint64(s.MaxTranscript)
	return options
}

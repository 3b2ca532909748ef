// Ollama's harmony parser, used as its server does. Its runner stops at a stop token and never passes it on, so here
// each ends a turn, and the next one has a parser of its own.
package main

import (
	"io"
	"log/slog"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/harmony"

	"harmony-peers/protocol"
)

type sink interface {
	add(content, reasoning string)
	call(call api.ToolCall)
}

func run(input *protocol.Input, to sink) error {
	handler := begin()
	for i, piece := range input.Strings {
		last := i == len(input.Strings)-1
		if !last && piece == "<|call|>" {
			if err := add(handler, "", true, to); err != nil {
				return err
			}
			// The text goes on with <|start|>.
			handler = harmony.NewHarmonyMessageHandler()
			handler.Init(nil, nil, nil)
			handler.HarmonyParser = &harmony.HarmonyParser{
				MessageStartTag: "<|start|>", MessageEndTag: "<|end|>", HeaderEndTag: "<|message|>",
			}
			continue
		}
		if last {
			piece = strings.TrimSuffix(strings.TrimSuffix(piece, "<|return|>"), "<|call|>")
		}
		if err := add(handler, piece, last, to); err != nil {
			return err
		}
	}
	return nil
}

func begin() *harmony.HarmonyMessageHandler {
	handler := harmony.NewHarmonyMessageHandler()
	// Without a last message: the prompt ends with <|start|>assistant.
	handler.Init(nil, nil, nil)
	return handler
}

func add(handler *harmony.HarmonyMessageHandler, text string, done bool, to sink) error {
	content, reasoning, calls, err := handler.Add(text, done)
	to.add(content, reasoning)
	for _, call := range calls {
		to.call(call)
	}
	return err
}

type count int

func (c *count) add(content, reasoning string) { *c += count(len(content) + len(reasoning)) }
func (c *count) call(call api.ToolCall)        { *c += count(len(call.Function.Name)) }

type collect struct{ outcome *protocol.Outcome }

func (c collect) add(content, reasoning string) {
	c.outcome.Content.WriteString(content)
	c.outcome.Reasoning.WriteString(reasoning)
}

func (c collect) call(call api.ToolCall) {
	c.outcome.Calls = append(c.outcome.Calls, protocol.Call{
		Name: call.Function.Name, Arguments: call.Function.Arguments.String(),
	})
}

func main() {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	protocol.Serve(func(input *protocol.Input) int {
		var c count
		// parse has reported an error.
		_ = run(input, &c)
		return int(c)
	}, func(input *protocol.Input) *protocol.Outcome {
		c := collect{&protocol.Outcome{}}
		if err := run(input, c); err != nil {
			c.outcome.Error = err.Error()
		}
		return c.outcome
	})
}

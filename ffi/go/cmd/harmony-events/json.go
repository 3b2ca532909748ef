package main

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"harmony-stream/ffi/go"
)

// appendEvent writes an event as the Rust library serialises it: `event` first, then the fields in their order.
func appendEvent(to []byte, parser *harmony.Parser, event *harmony.Event) ([]byte, error) {
	to = append(to, `{"event":`...)
	to = appendText(to, event.Kind.String())
	switch event.Kind {
	case harmony.EventMessageStart:
		to = field(to, "channel", event.Channel)
		to = append(to, `,"recipient":`...)
		if len(event.Recipient) == 0 {
			to = append(to, "null"...)
		} else {
			to = appendText(to, event.Recipient)
		}
	case harmony.EventContent, harmony.EventReasoning:
		to = text(to, "text", event.Text)
	case harmony.EventToolCallStart:
		to = number(to, "index", event.Index)
		to = text(to, "name", event.Text)
		to = text(to, "recipient", event.Recipient)
	case harmony.EventToolCallArguments:
		to = number(to, "index", event.Index)
		to = text(to, "text", event.Text)
	case harmony.EventToolCallEnd:
		to = number(to, "index", event.Index)
		to = text(to, "arguments", event.Text)
		to = field(to, "status", event.Status)
	case harmony.EventMessageEnd:
		to = field(to, "end", event.End)
	case harmony.EventDeviation:
		to = field(to, "kind", event.Deviation)
		to = number(to, "offset", event.Offset)
		to = text(to, "dropped", event.Text)
	case harmony.EventFinish:
		summary, err := parser.Summary()
		if err != nil {
			return nil, err
		}
		to = appendSummary(to, summary)
	}
	return append(to, "}\n"...), nil
}

func appendSummary(to []byte, summary harmony.Summary) []byte {
	to = append(to, `,"failure":`...)
	if summary.Failure == nil {
		to = append(to, "null"...)
	} else {
		to = append(to, `{"kind":`...)
		to = appendText(to, summary.Failure.Deviation.String())
		to = number(to, "offset", summary.Failure.Offset)
		to = append(to, '}')
	}
	if summary.LastEnd == harmony.EndNone {
		to = append(to, `,"last_end":null`...)
	} else {
		to = field(to, "last_end", summary.LastEnd)
	}
	to = number(to, "deviations", summary.Deviations)
	to = append(to, `,"bytes":{"analysis":`...)
	to = strconv.AppendInt(to, int64(summary.Bytes.Analysis), 10)
	to = number(to, "commentary", summary.Bytes.Commentary)
	to = number(to, "final", summary.Bytes.Final)
	to = number(to, "other", summary.Bytes.Other)
	return append(to, '}')
}

func name(to []byte, name string) []byte {
	return append(append(append(to, `,"`...), name...), `":`...)
}

func text(to []byte, field string, value []byte) []byte { return appendText(name(to, field), value) }

func field(to []byte, field string, value fmt.Stringer) []byte {
	return appendText(name(to, field), value.String())
}

func number(to []byte, field string, value int) []byte {
	return strconv.AppendInt(name(to, field), int64(value), 10)
}

// appendText writes a JSON string as Rust's serde_json does: only what must be escaped is (so not as encoding/json,
// which escapes <, > and & too), and each broken UTF-8 sequence becomes one U+FFFD.
func appendText[T string | []byte](to []byte, value T) []byte {
	to = append(to, '"')
	rest := []byte(value)
	for len(rest) > 0 {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			to = append(to, "\uFFFD"...)
			size = broken(rest)
		} else if size > 1 {
			to = append(to, rest[:size]...)
		} else {
			to = appendASCII(to, rest[0])
		}
		rest = rest[size:]
	}
	return append(to, '"')
}

func appendASCII(to []byte, c byte) []byte {
	const escaped, letters = "\"\\\b\t\n\f\r", `"\btnfr`
	for i := range len(escaped) {
		if c == escaped[i] {
			return append(to, '\\', letters[i])
		}
	}
	if c < 0x20 {
		return fmt.Appendf(to, `\u%04x`, c)
	}
	return append(to, c)
}

// broken is how long the sequence at the beginning is: as far as it could still have become a character.
func broken(text []byte) int {
	for n := min(3, len(text)); n > 1; n-- {
		if !utf8.FullRune(text[:n]) {
			return n
		}
	}
	return 1
}

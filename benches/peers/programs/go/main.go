// harmony-stream through its Go module, pushed and at once.
package main

import (
	"os"

	harmony "harmony-stream/ffi/go"

	"harmony-peers/protocol"
)

func stream(input *protocol.Input, take func([]harmony.Event)) error {
	parser, err := harmony.New(harmony.Options{})
	if err != nil {
		return err
	}
	defer parser.Close()
	for _, piece := range input.Pieces {
		events, err := parser.Push(piece)
		if err != nil {
			return err
		}
		take(events)
	}
	events, err := parser.Finish()
	take(events)
	return err
}

func count(input *protocol.Input) int {
	bytes := 0
	err := stream(input, func(events []harmony.Event) {
		for i := range events {
			bytes += len(events[i].Text)
		}
	})
	if err != nil {
		panic(err)
	}
	return bytes
}

func parse(input *protocol.Input) *protocol.Outcome {
	var collector harmony.Collector
	if err := stream(input, func(events []harmony.Event) { collector.Add(events...) }); err != nil {
		return &protocol.Outcome{Error: err.Error()}
	}
	return outcome(collector.Parsed())
}

func countWhole(input *protocol.Input) int {
	parsed, err := harmony.Parse(string(input.Text), harmony.Options{})
	if err != nil {
		panic(err)
	}
	return len(parsed.Content) + len(parsed.Reasoning) + len(parsed.ToolCalls)
}

func parseWhole(input *protocol.Input) *protocol.Outcome {
	parsed, err := harmony.Parse(string(input.Text), harmony.Options{})
	if err != nil {
		return &protocol.Outcome{Error: err.Error()}
	}
	return outcome(parsed)
}

func outcome(parsed harmony.Parsed) *protocol.Outcome {
	outcome := &protocol.Outcome{}
	outcome.Content.WriteString(parsed.Content)
	outcome.Reasoning.WriteString(parsed.Reasoning)
	for _, call := range parsed.ToolCalls {
		outcome.Calls = append(outcome.Calls, protocol.Call{Name: call.Name, Arguments: call.Arguments})
	}
	return outcome
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "whole" {
		protocol.Serve(countWhole, parseWhole)
	} else {
		protocol.Serve(count, parse)
	}
}

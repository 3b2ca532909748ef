package harmony_test

import (
	"errors"
	"fmt"

	"harmony-stream/ffi/go"
)

func Example() {
	parser, err := harmony.NewParser(harmony.Lenient())
	if err != nil {
		panic(err)
	}
	defer parser.Close()

	for _, chunk := range []string{"<|channel|>analysis<|mess", "age|>Hm.<|end|><|start|>assis",
		"tant<|channel|>final<|message|>It ra", "ins."} {
		events, err := parser.Push([]byte(chunk))
		if err != nil {
			panic(err)
		}
		for _, event := range events {
			switch event.Kind {
			case harmony.EventReasoning:
				fmt.Printf("thinks: %s\n", event.Text)
			case harmony.EventContent:
				fmt.Printf("says: %s\n", event.Text)
			}
		}
	}
	if _, err := parser.Finish(); err != nil {
		panic(err)
	}
	// Output:
	// thinks: Hm.
	// says: It ra
	// says: ins.
}

func ExampleParser_All() {
	parser, _ := harmony.NewParser(harmony.Lenient())
	defer parser.Close()

	chunks := func(yield func([]byte) bool) {
		_ = yield([]byte("<|channel|>commentary to=functions.tide<|message|>{\"at\":")) && yield([]byte("\"noon\"}<|call|>"))
	}
	for event, err := range parser.All(chunks) {
		if err != nil {
			panic(err)
		}
		if event.Kind == harmony.EventToolCallEnd && event.Status == harmony.CallComplete {
			fmt.Printf("call %d: %s\n", event.Index, event.Text)
		}
	}
	// Output: call 0: {"at":"noon"}
}

func ExampleParser_PushControl() {
	parser, _ := harmony.NewParser(harmony.Options{Input: harmony.InputTokens})
	defer parser.Close()

	var collector harmony.Collector
	for _, token := range []struct {
		id   uint32
		text string
	}{{200005, ""}, {17196, "final"}, {200008, ""}, {9642, "A quoted <|end|> is text."}, {200002, ""}} {
		var events []harmony.Event
		if control, ok := harmony.ControlFromTokenID(token.id); ok {
			events, _ = parser.PushControl(control)
		} else {
			events, _ = parser.PushString(token.text)
		}
		collector.Add(events...)
	}
	events, _ := parser.Finish()
	collector.Add(events...)
	fmt.Println(collector.Parsed().Content)
	// Output: A quoted <|end|> is text.
}

func ExampleParse() {
	parsed, err := harmony.Parse("<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary "+
		"to=functions.tide <|constrain|>json<|message|>{\"at\":\"noon\"}<|call|>", harmony.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(parsed.Reasoning)
	for _, call := range parsed.ToolCalls {
		fmt.Println(call.Name, call.Arguments, call.Status)
	}
	// Output:
	// Hm.
	// tide {"at":"noon"} complete
}

func ExampleDetectLeak() {
	text := "Done. analysis to=functions.edit code 大发"
	signals, err := harmony.DetectLeak(text, harmony.SurfaceText, harmony.NoEnd)
	if err != nil {
		panic(err)
	}
	fmt.Println(harmony.Label(signals), text[signals[0].Start:signals[0].End])
	// Output: M+C+S to=functions.edit
}

func ExampleDetector() {
	detector, err := harmony.NewDetector(harmony.SurfaceText, harmony.NoEnd)
	if err != nil {
		panic(err)
	}
	defer detector.Close()
	for _, chunk := range []string{"All done <|e", "nd|> and ", "more"} {
		signals, err := detector.Push([]byte(chunk))
		if err != nil {
			panic(err)
		}
		for _, signal := range signals {
			fmt.Println(signal.Classes, "at", signal.Start)
		}
		if detector.Detected() {
			fmt.Println("stop the model")
			break
		}
	}
	// Output:
	// H at 9
	// stop the model
}

func ExampleRegistry() {
	registry, err := harmony.DefaultRegistry()
	if err != nil {
		panic(err)
	}
	defer registry.Close()
	input := "@src/a.ts\n~let x = 1;\nanalysis to=functions.edit code 大发"
	signals, _ := harmony.DetectLeak(input, harmony.SurfaceToolArg, 23)
	recovery, err := registry.Recover("edit", input, signals[0].Start)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%q\n", recovery.Clean)
	audit, _ := harmony.AuditOf(recovery.Removed)
	fmt.Println(audit.RemovedLength, audit.RemovedPreview)
	// Output:
	// "@src/a.ts\n~let x = 1;\n*** Abort\n"
	// 34 analysis to=functions.edit ···· 大发
}

func ExamplePickTitle() {
	title, _ := harmony.PickTitle("Sure: {\"title\": \" Tides in Oslo \"}", false)
	fmt.Println(title)
	_, err := harmony.PickTitle("{\"title\": \"Tides in", true)
	fmt.Println(errors.Is(err, harmony.ErrCut))
	// Output:
	// Tides in Oslo
	// true
}

func ExampleEscape() {
	escaped, _ := harmony.Escape("a tool says <|call|>")
	fmt.Println(harmony.IsHarmony("<|start|>"+escaped+"<|message|>"), len(escaped))
	back, _ := harmony.Unescape(escaped)
	fmt.Println(back)
	// Output:
	// true 23
	// a tool says <|call|>
}

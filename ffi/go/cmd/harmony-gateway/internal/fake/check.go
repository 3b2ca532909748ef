package fake

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// CheckChat compares what an OpenAI client has with what the transcript comes to. The upstream said "stop".
func (t *Transcript) CheckChat(got Collected) error {
	want := Collected{Content: t.Content, Reasoning: t.Reasoning, Reason: "stop", Done: got.Done}
	if t.Callable() {
		want.Reason = "tool_calls"
	}
	for i, call := range t.ToolCalls {
		one := CollectedCall{Name: call.Name, Arguments: call.Arguments}
		if i < len(got.Calls) {
			one.ID = got.Calls[i].ID
		}
		if len(one.ID) != 29 {
			return fmt.Errorf("%s: call %d has the id %q", t.Name, i, one.ID)
		}
		want.Calls = append(want.Calls, one)
	}
	return t.compare(got, want)
}

// CheckOllama is the same for Ollama's format, where calls that are not complete are reasoning.
func (t *Transcript) CheckOllama(got Collected) error {
	want := Collected{Content: t.Content, Reasoning: t.Reasoning, Reason: "stop", Done: got.Done}
	for _, call := range t.ToolCalls {
		if call.Status == "complete" {
			want.Calls = append(want.Calls, CollectedCall{Name: call.Name, Arguments: compact(call.Arguments)})
		}
	}
	if len(want.Calls) < len(t.ToolCalls) {
		want.Reasoning = got.Reasoning
		if len(got.Reasoning) <= len(t.Reasoning) {
			return fmt.Errorf("%s: the cut call is nowhere", t.Name)
		}
	}
	for i := range got.Calls {
		got.Calls[i].Arguments = compact(got.Calls[i].Arguments)
	}
	return t.compare(got, want)
}

func (t *Transcript) compare(got, want Collected) error {
	if !reflect.DeepEqual(got, want) {
		return fmt.Errorf("%s:\n got %+v\nwant %+v", t.Name, got, want)
	}
	return nil
}

func compact(text string) string {
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		return text
	}
	data, _ := json.Marshal(value)
	return string(data)
}

package fake

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Collected is what a client makes of a response.
type Collected struct {
	Content, Reasoning, Reason string
	Calls                      []CollectedCall
	Done                       bool
}

// A CollectedCall is a call in it.
type CollectedCall struct{ ID, Name, Arguments string }

type toolCall struct {
	Index    int
	ID, Type string
	Function struct {
		Name      string
		Arguments json.RawMessage
	}
}

type said struct {
	Content          string
	ReasoningContent string `json:"reasoning_content"`
	Reasoning        string
	Thinking         string
	ToolCalls        []toolCall `json:"tool_calls"`
}

func (c *Collected) add(said *said) error {
	c.Content += said.Content
	c.Reasoning += said.ReasoningContent + said.Reasoning + said.Thinking
	for _, call := range said.ToolCalls {
		if call.Function.Name != "" {
			if call.Index != 0 && call.Index != len(c.Calls) {
				return fmt.Errorf("call %d comes after %d calls", call.Index, len(c.Calls))
			}
			c.Calls = append(c.Calls, CollectedCall{ID: call.ID, Name: call.Function.Name})
		}
		arguments := string(call.Function.Arguments)
		if strings.HasPrefix(arguments, `"`) {
			if err := json.Unmarshal(call.Function.Arguments, &arguments); err != nil {
				return err
			}
		}
		c.Calls[len(c.Calls)-1].Arguments += arguments
	}
	return nil
}

// CollectChat reads a stream of chat completion chunks, of their first choice.
func CollectChat(from io.Reader) (Collected, error) {
	var all Collected
	err := eachLine(from, func(line string) error {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			return nil
		}
		if data == "[DONE]" {
			all.Done = true
			return nil
		}
		var chunk struct {
			Choices []struct {
				Index        int
				Delta        said
				FinishReason *string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return err
		}
		for i := range chunk.Choices {
			if chunk.Choices[i].FinishReason != nil {
				all.Reason = *chunk.Choices[i].FinishReason
			}
			if err := all.add(&chunk.Choices[i].Delta); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// CollectOllama reads lines of Ollama's.
func CollectOllama(from io.Reader) (Collected, error) {
	var all Collected
	err := eachLine(from, func(line string) error {
		var chunk struct {
			Message    said
			Done       bool
			DoneReason string `json:"done_reason"`
		}
		if err := json.Unmarshal([]byte(line), &chunk); err != nil {
			return err
		}
		all.Done, all.Reason = chunk.Done, chunk.DoneReason
		return all.add(&chunk.Message)
	})
	return all, err
}

// CollectBody reads a body of either format that is not streamed.
func CollectBody(body []byte) (Collected, error) {
	var all Collected
	var chunk struct {
		Message said
		Choices []struct {
			Message      said
			FinishReason string `json:"finish_reason"`
		}
		DoneReason string `json:"done_reason"`
	}
	if err := json.Unmarshal(body, &chunk); err != nil {
		return all, err
	}
	if len(chunk.Choices) > 0 {
		all.Reason = chunk.Choices[0].FinishReason
		return all, all.add(&chunk.Choices[0].Message)
	}
	all.Reason = chunk.DoneReason
	return all, all.add(&chunk.Message)
}

func eachLine(from io.Reader, do func(string) error) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			if err := do(line); err != nil {
				return err
			}
		}
	}
	return lines.Err()
}

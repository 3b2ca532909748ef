package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

// The official OpenAI client, before an upstream that leaks: what it assembles is what the transcript comes to.

func TestOpenAIClient(t *testing.T) {
	all := transcripts(t)
	b := before(t, fake.NewUpstream(all), nil)
	client := openai.NewClient(option.WithBaseURL(b.URL+"/v1"), option.WithAPIKey("none"), option.WithMaxRetries(0))
	for _, transcript := range all {
		for _, size := range []int{1, 4, 64} {
			params := openai.ChatCompletionNewParams{
				Model:    fmt.Sprintf("%s@%d", transcript.Name, size),
				Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("?")},
			}
			if got, err := streamed(client, params); err != nil {
				t.Error(transcript.Name, err)
			} else if err := transcript.CheckChat(got); err != nil {
				t.Error(err)
			}
			if got, err := unstreamed(client, params); err != nil {
				t.Error(transcript.Name, err)
			} else if err := transcript.CheckChat(got); err != nil {
				t.Error(err)
			}
		}
	}
}

// streamed lets the client's own accumulator assemble the message. Reasoning is a field that it does not know.
func streamed(client openai.Client, params openai.ChatCompletionNewParams) (fake.Collected, error) {
	stream := client.Chat.Completions.NewStreaming(context.Background(), params)
	defer stream.Close()
	var assembled openai.ChatCompletionAccumulator
	thought := ""
	for stream.Next() {
		chunk := stream.Current()
		if !assembled.AddChunk(chunk) {
			return fake.Collected{}, fmt.Errorf("the client can't add a chunk")
		}
		for _, choice := range chunk.Choices {
			piece, err := reasoningIn(choice.Delta.RawJSON())
			if err != nil {
				return fake.Collected{}, err
			}
			thought += piece
		}
	}
	if err := stream.Err(); err != nil {
		return fake.Collected{}, err
	}
	return collected(assembled.ChatCompletion, thought)
}

func unstreamed(client openai.Client, params openai.ChatCompletionNewParams) (fake.Collected, error) {
	completion, err := client.Chat.Completions.New(context.Background(), params)
	if err != nil {
		return fake.Collected{}, err
	}
	thought, err := reasoningIn(completion.Choices[0].Message.RawJSON())
	if err != nil {
		return fake.Collected{}, err
	}
	return collected(*completion, thought)
}

func reasoningIn(raw string) (string, error) {
	var message struct {
		Reasoning string `json:"reasoning_content"`
	}
	err := json.Unmarshal([]byte(raw), &message)
	return message.Reasoning, err
}

func collected(completion openai.ChatCompletion, thought string) (fake.Collected, error) {
	if len(completion.Choices) != 1 {
		return fake.Collected{}, fmt.Errorf("%d choices", len(completion.Choices))
	}
	choice := completion.Choices[0]
	all := fake.Collected{Content: choice.Message.Content, Reasoning: thought, Reason: choice.FinishReason}
	for _, call := range choice.Message.ToolCalls {
		if call.Type != "function" {
			return all, fmt.Errorf("a call has the type %q", call.Type)
		}
		all.Calls = append(all.Calls, fake.CollectedCall{ID: call.ID, Name: call.Function.Name, Arguments: call.Function.Arguments})
	}
	return all, nil
}

// The official Go client gets of each transcript what its NAME.json says.
//
//	go run . API HEALTH TRANSCRIPTS
//
// The arguments are those of ../python/check.py.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/option"
)

var (
	healthURL, folder string
	client            openai.Client
	web               = &http.Client{Timeout: time.Minute}
)

type call struct{ Name, Arguments string }

type answer struct {
	Content, Reasoning string
	Calls              []call
	Reason             string
}

func request(model string, piece, pace int) (openai.ChatCompletionNewParams, []option.RequestOption) {
	params := openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("Go on.")},
	}
	return params, []option.RequestOption{
		option.WithJSONSet("piece_bytes", piece), option.WithJSONSet("pace_ms", pace),
	}
}

// reasoningOf reads a field that the client does not know, from the JSON that it hands on.
func reasoningOf(raw string) string {
	var part struct {
		Reasoning string `json:"reasoning_content"`
	}
	if err := json.Unmarshal([]byte(raw), &part); err != nil {
		return err.Error()
	}
	return part.Reasoning
}

func answerOf(completion openai.ChatCompletion) answer {
	message := completion.Choices[0].Message
	got := answer{Content: message.Content, Calls: []call{}, Reason: completion.Choices[0].FinishReason}
	for _, part := range message.ToolCalls {
		got.Calls = append(got.Calls, call{part.Function.Name, part.Function.Arguments})
	}
	return got
}

// streamed is the answer as the client's own accumulator puts it together.
func streamed(name string, piece int) (answer, error) {
	params, options := request(name, piece, 0)
	stream := client.Chat.Completions.NewStreaming(context.Background(), params, options...)
	defer stream.Close()
	var all openai.ChatCompletionAccumulator
	var reasoning strings.Builder
	for stream.Next() {
		chunk := stream.Current()
		if !all.AddChunk(chunk) {
			return answer{}, errors.New("the accumulator refused a chunk")
		}
		reasoning.WriteString(reasoningOf(chunk.Choices[0].Delta.RawJSON()))
	}
	if err := stream.Err(); err != nil {
		return answer{}, err
	}
	got := answerOf(all.ChatCompletion)
	got.Reasoning = reasoning.String()
	return got, nil
}

// whole is the answer in one piece.
func whole(name string, piece int) (answer, error) {
	params, options := request(name, piece, 0)
	completion, err := client.Chat.Completions.New(context.Background(), params, options...)
	if err != nil {
		return answer{}, err
	}
	got := answerOf(*completion)
	got.Reasoning = reasoningOf(completion.Choices[0].Message.RawJSON())
	return got, nil
}

type row struct {
	Content, Reasoning string
	ToolCalls          []struct{ Name, Arguments, Status string } `json:"tool_calls"`
	Lenient            *row
}

func expected(name string) (answer, error) {
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if err != nil {
		return answer{}, err
	}
	var want row
	if err := json.Unmarshal(text, &want); err != nil {
		return answer{}, err
	}
	if want.Lenient != nil {
		want = *want.Lenient
	}
	has := map[string]bool{}
	calls := []call{}
	for _, part := range want.ToolCalls {
		has[part.Status] = true
		calls = append(calls, call{part.Name, part.Arguments})
	}
	// Only complete calls may be run; the one transcript with an incomplete one was cut by a limit.
	reason := "stop"
	if has["incomplete"] {
		reason = "length"
	} else if has["complete"] {
		reason = "tool_calls"
	}
	return answer{want.Content, want.Reasoning, calls, reason}, nil
}

func transcript(how func(string, int) (answer, error), name string, piece int) error {
	want, err := expected(name)
	if err != nil {
		return err
	}
	got, err := how(name, piece)
	if err == nil && !reflect.DeepEqual(got, want) {
		err = fmt.Errorf("is %.400q, should be %.400q", fmt.Sprint(got), fmt.Sprint(want))
	}
	return err
}

type load struct{ Turns, Parsers int }

func health() (now load, err error) {
	response, err := web.Get(healthURL)
	if err != nil {
		return now, err
	}
	defer response.Body.Close()
	return now, json.NewDecoder(response.Body).Decode(&now)
}

// untilTurns waits until this many turns go on. `parsers` are the server's own, and none is left without a turn.
func untilTurns(count int) error {
	var now load
	var err error
	for range 600 {
		now, err = health()
		if err != nil || now.Turns == count && (count > 0 || now.Parsers == 0) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("not %d turns: %+v", count, now)
}

// liveAndHangUp: text comes while the turn goes on, and the turn ends with its client. By itself it would last for
// minutes.
func liveAndHangUp() error {
	if err := untilTurns(0); err != nil {
		return err
	}
	params, options := request("long-answer", 64, 1000)
	stream := client.Chat.Completions.NewStreaming(context.Background(), params, options...)
	defer stream.Close()
	first := ""
	for first == "" && stream.Next() {
		delta := stream.Current().Choices[0].Delta
		if delta.Content != "" {
			return fmt.Errorf("content: %q", delta.Content)
		}
		first = reasoningOf(delta.RawJSON())
	}
	if err := stream.Err(); err != nil {
		return err
	}
	now, err := health()
	if err != nil || now.Turns != 1 {
		return fmt.Errorf("the turn is over: %+v, %v", now, err)
	}
	stream.Close()
	return untilTurns(0)
}

// hangUpOnWhole: the same for one who waits for the whole answer.
func hangUpOnWhole() error {
	if err := untilTurns(0); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ended := make(chan error)
	go func() {
		params, options := request("long-answer", 64, 1000)
		_, err := client.Chat.Completions.New(ctx, params, options...)
		ended <- err
	}()
	begun := untilTurns(1)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		return fmt.Errorf("not cancelled: %w", err)
	}
	return errors.Join(begun, untilTurns(0))
}

func refused(model string, piece, status int) error {
	params, options := request(model, piece, 0)
	_, err := client.Chat.Completions.New(context.Background(), params, options...)
	var refusal *openai.Error
	if !errors.As(err, &refusal) || refusal.StatusCode != status || refusal.Code == "" {
		return fmt.Errorf("not status %d with a code: %w", status, err)
	}
	return nil
}

type check struct {
	what string
	run  func() error
}

func together() (checks []check) {
	names, _ := filepath.Glob(filepath.Join(folder, "*.txt"))
	for _, piece := range []int{1, 4, 64} {
		for _, path := range names {
			name := strings.TrimSuffix(filepath.Base(path), ".txt")
			add := func(what string, how func(string, int) (answer, error)) {
				what = fmt.Sprintf("%s, %s, pieces of %d", name, what, piece)
				checks = append(checks, check{what, func() error { return transcript(how, name, piece) }})
			}
			add("streamed", streamed)
			add("whole", whole)
		}
	}
	return checks
}

// alone are those to run one at a time: some of them look at all that the server does.
func alone() []check {
	return []check{
		{"liveAndHangUp", liveAndHangUp},
		{"hangUpOnWhole", hangUpOnWhole},
		{"unknown model", func() error { return refused("no-such-model", 4, 404) }},
		{"bad request", func() error { return refused("weather-call", 0, 400) }},
	}
}

// run takes `width` checks at a time and tells how many failed.
func run(checks []check, width int) (failed int) {
	var group sync.WaitGroup
	var lock sync.Mutex
	slots := make(chan struct{}, width)
	for _, check := range checks {
		slots <- struct{}{}
		group.Add(1)
		go func() {
			defer func() { <-slots; group.Done() }()
			if err := check.run(); err != nil {
				lock.Lock()
				defer lock.Unlock()
				failed++
				fmt.Printf("%s: %v\n", check.what, err)
			}
		}()
	}
	group.Wait()
	return failed
}

func main() {
	healthURL, folder = os.Args[2], os.Args[3]
	// No second tries: what fails shall be seen.
	client = openai.NewClient(option.WithBaseURL(os.Args[1]), option.WithAPIKey("none"), option.WithMaxRetries(0),
		option.WithHTTPClient(&http.Client{Timeout: 3 * time.Minute}))
	failed := run(together(), 8) + run(alone(), 1)
	fmt.Printf("%d passed, %d failed\n", len(together())+len(alone())-failed, failed)
	if failed > 0 {
		os.Exit(1)
	}
}

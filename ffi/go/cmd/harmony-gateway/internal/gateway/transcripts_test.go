package gateway

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

func TestTranscripts(t *testing.T) {
	all := transcripts(t)
	b := before(t, fake.NewUpstream(all), nil)
	for _, transcript := range all {
		for _, size := range []int{1, 4, 64} {
			for _, stream := range []bool{true, false} {
				if err := b.ask(t, &transcript, "/v1/chat/completions", size, stream); err != nil {
					t.Error(err)
				}
				if err := b.ask(t, &transcript, "/api/chat", size, stream); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// ask asks for a transcript and checks the answer.
func (b *bench) ask(t testing.TB, transcript *fake.Transcript, path string, size int, stream bool) error {
	body := fmt.Sprintf(`{"model":"%s@%d","stream":%t}`, transcript.Name, size, stream)
	res, err := b.Client().Post(b.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	var got fake.Collected
	isChat := strings.HasPrefix(path, "/v1")
	switch {
	case !stream:
		got, err = fake.CollectBody([]byte(read(t, res)))
		got.Done = true
	case isChat:
		got, err = fake.CollectChat(res.Body)
	default:
		got, err = fake.CollectOllama(res.Body)
	}
	if err == nil && !got.Done {
		err = fmt.Errorf("%s: not done", transcript.Name)
	}
	if err == nil && isChat {
		err = transcript.CheckChat(got)
	} else if err == nil {
		err = transcript.CheckOllama(got)
	}
	return err
}

// 200 streams at once, and nothing is mixed up.
func TestManyStreamsAtOnce(t *testing.T) {
	all := transcripts(t)
	b := before(t, fake.NewUpstream(all), nil)
	var group sync.WaitGroup
	begin := make(chan struct{})
	for i := range 200 {
		group.Add(1)
		go func() {
			defer group.Done()
			<-begin
			path := []string{"/v1/chat/completions", "/api/chat"}[i%2]
			if err := b.ask(t, &all[i%len(all)], path, 32+i%64, true); err != nil {
				t.Error(err)
			}
		}()
	}
	close(begin)
	group.Wait()
	eventually(t, "no parser is left", func() bool { return b.value(t, b.gateway.metrics.streams) == 0 })
}

package fake

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
)

// An Upstream is an inference server that leaks: it answers /v1/chat/completions and /api/chat with the raw text of the
// transcript that the request's model names, "NAME@SIZE" in pieces of SIZE bytes.
type Upstream struct {
	transcripts map[string]Transcript
	count       atomic.Int64
}

// NewUpstream has these transcripts for models.
func NewUpstream(transcripts []Transcript) *Upstream {
	u := &Upstream{transcripts: map[string]Transcript{}}
	for _, transcript := range transcripts {
		u.transcripts[transcript.Name] = transcript
	}
	return u
}

// ServeHTTP answers.
func (u *Upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Model  string
		Stream *bool
	}
	if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	name, size, _ := strings.Cut(asked.Model, "@")
	transcript, ok := u.transcripts[name]
	bytes, err := strconv.Atoi(size)
	if !ok || err != nil {
		http.Error(w, `{"error":{"message":"no such model"}}`, http.StatusNotFound)
		return
	}
	id := fmt.Sprintf("chatcmpl-%d", u.count.Add(1))
	pieces := Pieces(transcript.Text, bytes)
	switch {
	case strings.HasPrefix(r.URL.Path, "/api/") && asked.Stream != nil && !*asked.Stream:
		Body(w, OllamaBody(transcript.Text))
	case strings.HasPrefix(r.URL.Path, "/api/"):
		Stream(w, "application/x-ndjson", OllamaLines(pieces))
	case asked.Stream != nil && *asked.Stream:
		Stream(w, "text/event-stream; charset=utf-8", ChatEvents(id, pieces, "stop"))
	default:
		Body(w, ChatBody(id, transcript.Text, "stop"))
	}
}

// Body answers with one body.
func Body(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	io.WriteString(w, body)
}

// Stream answers event by event.
func Stream(w http.ResponseWriter, media string, events []string) {
	w.Header().Set("Content-Type", media)
	for _, event := range events {
		if _, err := io.WriteString(w, event); err != nil {
			return
		}
		w.(http.Flusher).Flush()
	}
}

package gateway

import (
	"mime"
	"net/http"
	"strings"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/split"
)

// A route is an endpoint whose responses are split, and in what format they are.
type route struct {
	name    string
	streams string // the media type of responses that stream
	filter  func(split.Settings) *split.Filter
	body    func([]byte, split.Settings) ([]byte, split.Summary)
}

var (
	chatRoute   = &route{"chat", "text/event-stream", split.NewChat, split.ChatBody}
	ollamaRoute = &route{"ollama", "application/x-ndjson", split.NewOllama, split.OllamaBody}
	otherRoute  = &route{name: "other"}
)

// routeOf takes paths by their end, so that upstreams below a prefix work too.
func routeOf(r *http.Request) *route {
	switch {
	case r.Method != http.MethodPost:
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		return chatRoute
	case strings.HasSuffix(r.URL.Path, "/api/chat"):
		return ollamaRoute
	}
	return otherRoute
}

// A shape is how a response comes.
type shape int

const (
	opaque shape = iota // nothing to be split
	streaming
	whole
)

func (r *route) shape(res *http.Response) shape {
	if r == otherRoute || res.StatusCode != http.StatusOK || !readable(res) {
		return opaque
	}
	media, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch media {
	case r.streams:
		return streaming
	case "application/json":
		return whole
	}
	return opaque
}

// readable says whether the encoding is one that can be undone.
func readable(res *http.Response) bool {
	switch strings.ToLower(res.Header.Get("Content-Encoding")) {
	case "", "identity", "gzip", "x-gzip":
		return true
	}
	return false
}

package gateway

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"time"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/split"
)

// A streamBody is the body of a response that is split while it comes in.
type streamBody struct {
	gateway  *Gateway
	exchange *exchange
	response *http.Response
	upstream io.Reader
	closer   io.Closer
	filter   *split.Filter
	in       [32 << 10]byte
	out      []byte
	at       int   // of out
	err      error // after out
	closed   bool
}

// Read gives what goes out because of the next bytes of the upstream.
func (b *streamBody) Read(to []byte) (int, error) {
	for b.at == len(b.out) {
		if b.err != nil {
			return 0, b.err
		}
		b.fill()
	}
	n := copy(to, b.out[b.at:])
	b.at += n
	return n, nil
}

func (b *streamBody) fill() {
	n, err := b.upstream.Read(b.in[:])
	begin := time.Now()
	b.at, b.out = 0, b.filter.Push(b.out[:0], b.in[:n])
	if err != nil {
		// Where the upstream breaks off the client gets what was held back, and then the break.
		b.out = b.filter.Finish(b.out)
		b.finish(err)
	}
	b.gateway.metrics.added.WithLabelValues(b.exchange.route.name).Observe(time.Since(begin).Seconds())
}

func (b *streamBody) finish(err error) {
	b.err = err
	if err != io.EOF {
		b.exchange.problem = problemOf(err)
		b.gateway.metrics.problems.WithLabelValues(b.exchange.problem.kind).Inc()
	}
	found := b.filter.Summary()
	b.gateway.report(b.exchange, &found)
	if label := labels(found.Leaks); label != "" {
		b.response.Trailer.Set(leakHeader, label)
	}
}

// Close frees the parsers and lets go of the upstream.
func (b *streamBody) Close() error {
	if b.closed {
		return nil
	}
	b.closed = true
	err := b.closer.Close()
	if b.err == nil {
		// The client went away: what was found until then counts.
		b.filter.Finish(nil)
		b.finish(context.Canceled)
	}
	b.filter.Close()
	b.gateway.metrics.streams.Dec()
	return err
}

// A watched body fails when it says nothing for too long.
type watched struct {
	body    io.ReadCloser
	context context.Context
	cancel  context.CancelCauseFunc
	limit   time.Duration
}

func (w *watched) Read(to []byte) (int, error) {
	timer := time.AfterFunc(w.limit, func() { w.cancel(errIdle) })
	n, err := w.body.Read(to)
	timer.Stop()
	if err != nil && err != io.EOF && context.Cause(w.context) != nil {
		err = context.Cause(w.context)
	}
	return n, err
}

func (w *watched) Close() error {
	err := w.body.Close()
	w.cancel(context.Canceled)
	return err
}

// decode undoes gzip, which a server may use although nobody asked for it.
func decode(res *http.Response) io.Reader {
	if !isGzip(res) {
		return res.Body
	}
	res.Header.Del("Content-Encoding")
	return &unzipped{from: res.Body}
}

// unzipped reads the head of the gzip stream only when it is needed: before that the response can't be passed on.
type unzipped struct {
	from io.Reader
	zip  *gzip.Reader
}

func (u *unzipped) Read(to []byte) (int, error) {
	if u.zip == nil {
		zip, err := gzip.NewReader(u.from)
		if err != nil {
			return 0, err
		}
		u.zip = zip
	}
	return u.zip.Read(to)
}

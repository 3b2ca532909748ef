package gateway

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of the gateway's own.
const (
	leakHeader  = "X-Harmony-Leak"         // the labels of what leaked
	retryHeader = "X-Harmony-Leak-Retries" // how often the upstream was asked again
)

// A splitter is the transport of the proxy: it asks the upstream, and splits what comes back.
type splitter struct {
	gateway *Gateway
	base    http.RoundTripper
}

// RoundTrip asks once, or again when a response that does not stream leaks.
func (s *splitter) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r.Context())
	if x.route == otherRoute {
		return s.base.RoundTrip(r)
	}
	again, err := s.repeatable(r)
	if err != nil {
		return nil, err
	}
	for {
		res, err := s.ask(r)
		if err != nil {
			return nil, err
		}
		x.shape = x.route.shape(res)
		switch x.shape {
		case opaque:
			return res, nil
		case streaming:
			return s.stream(res, x), nil
		}
		leaks, err := s.whole(res, x)
		if err != nil || !leaks || again == nil || x.retries == Retries {
			return res, err
		}
		res.Body.Close()
		x.retries++
		r.Body = again()
	}
}

// repeatable keeps the body of a request that may be asked again. nil: it is asked once.
func (s *splitter) repeatable(r *http.Request) (func() io.ReadCloser, error) {
	if s.gateway.config.Leak != LeakRetry {
		return nil, nil
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	again := func() io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }
	r.Body, r.ContentLength = again(), int64(len(body))
	return again, nil
}

// ask sends a request. The body of the response fails with errIdle when it says nothing for too long.
func (s *splitter) ask(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	res, err := s.base.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel(err)
		return nil, err
	}
	res.Body = &watched{body: res.Body, context: ctx, cancel: cancel, limit: s.gateway.config.IdleTimeout}
	return res, nil
}

// whole splits a response that does not stream, and says whether it leaks.
func (s *splitter) whole(res *http.Response, x *exchange) (bool, error) {
	decoded := decode(res)
	limit := s.gateway.config.MaxBody
	body, err := io.ReadAll(io.LimitReader(decoded, int64(limit)+1))
	if err != nil {
		res.Body.Close()
		return false, err
	}
	res.Header.Del("Content-Length")
	res.ContentLength = -1
	if len(body) > limit {
		s.gateway.metrics.limits.WithLabelValues("body").Inc()
		res.Body = joined{io.MultiReader(bytes.NewReader(body), decoded), res.Body}
		return false, nil
	}
	res.Body.Close()
	begin := time.Now()
	body, found := x.route.body(body, s.gateway.config.Split)
	s.gateway.metrics.added.WithLabelValues(x.route.name).Observe(time.Since(begin).Seconds())
	s.gateway.report(x, &found)
	res.Body = io.NopCloser(bytes.NewReader(body))
	res.ContentLength = int64(len(body))
	res.Header.Set("Content-Length", strconv.Itoa(len(body)))
	unsign(res.Header)
	if label := labels(found.Leaks); label != "" {
		res.Header.Set(leakHeader, label)
	}
	if x.retries > 0 {
		res.Header.Set(retryHeader, strconv.Itoa(x.retries))
	}
	return len(found.Leaks) > 0, nil
}

// stream splits a response while it comes in.
func (s *splitter) stream(res *http.Response, x *exchange) *http.Response {
	res.Header.Del("Content-Length")
	res.ContentLength = -1
	unsign(res.Header)
	body := &streamBody{gateway: s.gateway, exchange: x, response: res, closer: res.Body, upstream: decode(res),
		filter: x.route.filter(s.gateway.config.Split)}
	if s.gateway.config.Leak != LeakOff {
		if res.Trailer == nil {
			res.Trailer = http.Header{}
		}
		res.Trailer[leakHeader] = nil
	}
	s.gateway.metrics.streams.Inc()
	res.Body = body
	return res
}

// unsign removes what was true of the bytes as they were.
func unsign(header http.Header) {
	for _, name := range []string{"Etag", "Content-Md5", "Digest", "Content-Digest", "Repr-Digest"} {
		header.Del(name)
	}
}

// joined reads from one place and closes another.
type joined struct {
	io.Reader
	io.Closer
}

func isGzip(res *http.Response) bool {
	return strings.Contains(strings.ToLower(res.Header.Get("Content-Encoding")), "gzip")
}

package gateway

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Gateway is an http.Handler before one upstream. It has no state beyond the requests it is serving.
type Gateway struct {
	config  Config
	metrics *metrics
	proxy   *httputil.ReverseProxy
}

// New makes a gateway whose metrics go to the registry.
func New(config Config, registry prometheus.Registerer) (*Gateway, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	config.Split.Detect = config.Leak != LeakOff
	g := &Gateway{config: config, metrics: newMetrics(registry)}
	g.proxy = &httputil.ReverseProxy{
		Rewrite:       g.rewrite,
		Transport:     &splitter{gateway: g, base: transport(&config)},
		FlushInterval: -1, // every piece at once
		ErrorHandler:  g.fail,
		// What goes wrong is logged by kind: messages of net/http may quote a response.
		ErrorLog: log.New(io.Discard, "", 0),
	}
	return g, nil
}

func transport(config *Config) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: config.DialTimeout}).DialContext,
		TLSHandshakeTimeout:   config.DialTimeout,
		ResponseHeaderTimeout: config.HeaderTimeout,
		IdleConnTimeout:       90 * time.Second,
		MaxIdleConnsPerHost:   256,
		ForceAttemptHTTP2:     true,
		// A response passes in the encoding that the client asked for; those that are split are asked for without.
		DisableCompression: true,
	}
}

func (g *Gateway) rewrite(r *httputil.ProxyRequest) {
	r.SetURL(g.config.Upstream)
	r.SetXForwarded()
	if exchangeOf(r.In.Context()).route != otherRoute {
		r.Out.Header.Del("Accept-Encoding")
	}
}

// An exchange is what is known of a request while it is served. Only its own goroutine uses it.
type exchange struct {
	route    *route
	shape    shape
	retries  int
	leaks    int
	problem  problem
	choices  int // that were split
	repaired int
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// ServeHTTP passes a request on, and its response back.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begin := time.Now()
	x := &exchange{route: routeOf(r)}
	r = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x))
	r.Body = http.MaxBytesReader(w, r.Body, g.config.MaxRequest)
	status := &statusWriter{ResponseWriter: w}
	// Deferred, because a response that the upstream breaks off ends in a panic that breaks off the client's too.
	defer func() { g.done(r, x, status.code, time.Since(begin)) }()
	g.proxy.ServeHTTP(status, r)
}

func (g *Gateway) done(r *http.Request, x *exchange, code int, took time.Duration) {
	if r.Context().Err() != nil && x.problem.kind == "" {
		x.problem = clientGone
	}
	if code == 0 {
		code = x.problem.status
	}
	g.metrics.requests.WithLabelValues(x.route.name, strconv.Itoa(code)).Inc()
	g.metrics.seconds.WithLabelValues(x.route.name).Observe(took.Seconds())
	g.config.Log.Info("request", "method", r.Method, "route", x.route.name, "status", code, "seconds", took.Seconds(),
		"streamed", x.shape == streaming, "split", x.choices, "repaired", x.repaired, "leaks", x.leaks,
		"retries", x.retries, "problem", x.problem.kind)
}

// A statusWriter remembers the status.
type statusWriter struct {
	http.ResponseWriter
	code int
}

func (w *statusWriter) WriteHeader(code int) {
	if w.code < 200 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Unwrap lets http.ResponseController flush and hijack.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

package gateway

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"harmony-stream/ffi/go"
	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/split"
)

type metrics struct {
	requests   *prometheus.CounterVec
	seconds    *prometheus.HistogramVec
	added      *prometheus.HistogramVec
	streams    prometheus.Gauge
	choices    *prometheus.CounterVec
	deviations *prometheus.CounterVec
	calls      *prometheus.CounterVec
	bytes      *prometheus.CounterVec
	leaks      *prometheus.CounterVec
	limits     *prometheus.CounterVec
	problems   *prometheus.CounterVec
	unreadable prometheus.Counter
}

func newMetrics(registry prometheus.Registerer) *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		vec := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "harmony_gateway_" + name, Help: help}, labels)
		registry.MustRegister(vec)
		return vec
	}
	histogram := func(name, help string, from float64) *prometheus.HistogramVec {
		vec := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "harmony_gateway_" + name, Help: help,
			Buckets: prometheus.ExponentialBuckets(from, 4, 10)}, []string{"route"})
		registry.MustRegister(vec)
		return vec
	}
	m := &metrics{
		requests: counter("requests_total", "Requests by route and status.", "route", "code"),
		seconds:  histogram("request_seconds", "How long requests took.", 0.005),
		added:    histogram("added_seconds", "What splitting added to a piece, or to a whole body.", 1e-6),
		streams:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "harmony_gateway_open_streams", Help: "Streams that are being split."}),
		choices:  counter("choices_total", "Choices by what became of them: split, plain, failed.", "result"),

		deviations: counter("deviations_total", "Deviations from the grammar that were repaired, by kind.", "kind"),
		calls:      counter("tool_calls_total", "Tool calls in split choices by how complete they are.", "status"),
		bytes:      counter("bytes_total", "Bytes of body text by channel.", "channel"),
		leaks:      counter("leaks_total", "Leaks of protocol text, by surface and by what was done: reported, retried.", "surface", "action"),
		limits:     counter("limits_total", "Responses, events or choices that exceeded a limit and passed as they were.", "limit"),
		problems:   counter("problems_total", "Requests that could not be served, by reason.", "problem"),
		unreadable: prometheus.NewCounter(prometheus.CounterOpts{Name: "harmony_gateway_unreadable_total", Help: "Events and bodies that are no JSON of the kind that was expected."}),
	}
	registry.MustRegister(m.streams, m.unreadable)
	return m
}

// report puts what was found in a response into the metrics, the exchange and, for leaks, the log.
func (g *Gateway) report(x *exchange, found *split.Summary) {
	m := g.metrics
	for result, n := range map[string]int{"split": found.Split, "plain": found.Plain, "failed": found.Failed} {
		m.choices.WithLabelValues(result).Add(float64(n))
	}
	for kind, n := range found.Deviations {
		if n > 0 {
			m.deviations.WithLabelValues(harmony.Deviation(kind).String()).Add(float64(n))
			x.repaired += n
		}
	}
	for status, n := range found.Calls {
		if n > 0 {
			m.calls.WithLabelValues(harmony.CallStatus(status).String()).Add(float64(n))
		}
	}
	for channel, n := range map[string]int{"analysis": found.Bytes.Analysis, "commentary": found.Bytes.Commentary,
		"final": found.Bytes.Final, "other": found.Bytes.Other} {
		m.bytes.WithLabelValues(channel).Add(float64(n))
	}
	for limit, n := range found.Limits {
		m.limits.WithLabelValues(limit).Add(float64(n))
	}
	m.unreadable.Add(float64(found.Unreadable))
	x.choices = found.Split
	g.reportLeaks(x, found.Leaks)
}

// reportLeaks says where a leak is and what shows it, never what it says.
func (g *Gateway) reportLeaks(x *exchange, leaks []split.Leak) {
	action := "reported"
	if g.config.Leak == LeakRetry && x.shape == whole && x.retries < Retries {
		action = "retried"
	}
	for _, leak := range leaks {
		g.metrics.leaks.WithLabelValues(leak.Surface.String(), action).Inc()
		g.config.Log.Warn("leak", "route", x.route.name, "choice", leak.Choice, "surface", leak.Surface.String(),
			"signal", leak.Label, "signals", leak.Count, "offset", leak.Offset, "action", action, "retry", x.retries)
	}
	x.leaks = len(leaks)
}

// labels are the labels of all leaks, for the header.
func labels(leaks []split.Leak) string {
	var all []string
	for _, leak := range leaks {
		all = append(all, leak.Surface.String()+"="+leak.Label)
	}
	return strings.Join(all, "; ")
}

package gateway

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/fake"
)

func TestMetrics(t *testing.T) {
	text := reasons + "<|end|>" + calls + answers
	b := before(t, sse(streamOf(text, 4)...), nil)
	read(t, b.chat(t))
	read(t, b.post(t, "/v1/models", "{}"))
	eventually(t, "both requests are counted", func() bool {
		return testutil.CollectAndCount(b.gateway.metrics.requests) == 2
	})
	want := `# HELP harmony_gateway_bytes_total Bytes of body text by channel.
# TYPE harmony_gateway_bytes_total counter
harmony_gateway_bytes_total{channel="analysis"} 17
harmony_gateway_bytes_total{channel="commentary"} 15
harmony_gateway_bytes_total{channel="final"} 9
harmony_gateway_bytes_total{channel="other"} 0
# HELP harmony_gateway_choices_total Choices by what became of them: split, plain, failed.
# TYPE harmony_gateway_choices_total counter
harmony_gateway_choices_total{result="failed"} 0
harmony_gateway_choices_total{result="plain"} 0
harmony_gateway_choices_total{result="split"} 1
# HELP harmony_gateway_deviations_total Deviations from the grammar that were repaired, by kind.
# TYPE harmony_gateway_deviations_total counter
harmony_gateway_deviations_total{kind="stray_terminator"} 1
# HELP harmony_gateway_open_streams Streams that are being split.
# TYPE harmony_gateway_open_streams gauge
harmony_gateway_open_streams 0
# HELP harmony_gateway_requests_total Requests by route and status.
# TYPE harmony_gateway_requests_total counter
harmony_gateway_requests_total{code="200",route="chat"} 1
harmony_gateway_requests_total{code="200",route="other"} 1
# HELP harmony_gateway_tool_calls_total Tool calls in split choices by how complete they are.
# TYPE harmony_gateway_tool_calls_total counter
harmony_gateway_tool_calls_total{status="complete"} 1
`
	if err := testutil.GatherAndCompare(b.metrics, strings.NewReader(want), "harmony_gateway_bytes_total",
		"harmony_gateway_choices_total", "harmony_gateway_deviations_total", "harmony_gateway_open_streams",
		"harmony_gateway_requests_total", "harmony_gateway_tool_calls_total"); err != nil {
		t.Fatal(err)
	}
	if n := testutil.CollectAndCount(b.gateway.metrics.added); n != 1 {
		t.Error("latency added is in", n, "series")
	}
}

// Whatever happens, no text of users or models is in the log.
func TestLogsHoldNoText(t *testing.T) {
	const secret = "xyzzy"
	text := "<|channel|>analysis<|message|>" + secret + " " + leaky + "<|end|><|end|>" + secret +
		"<|start|>assistant<|channel|>commentary to=functions." + secret + "<|message|>{\"" + secret + "\":1}<|call|>"
	upstreams := []http.Handler{
		sse(streamOf(text, 4)...),
		jsonBody(fake.ChatBody(secret, text, secret)),
		jsonBody("not JSON " + secret),
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, secret, 500) }),
		http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			connection, _, _ := http.NewResponseController(w).Hijack()
			io.WriteString(connection, "HTTP/1.1 "+secret+"\r\n\r\n")
			connection.Close()
		}),
	}
	for i, upstream := range upstreams {
		b := before(t, upstream, leaking(LeakRetry))
		res := b.post(t, "/v1/chat/completions?q="+secret, `{"model":"x","stream":true,"prompt":"`+secret+`"}`)
		io.Copy(io.Discard, res.Body)
		eventually(t, "the request is logged", func() bool { return strings.Contains(b.log.String(), `"msg":"request"`) })
		log := b.log.String()
		if strings.Contains(log, secret) || strings.Contains(log, "大发") {
			t.Errorf("upstream %d: %s", i, log)
		}
		for line := range strings.Lines(log) {
			if !json.Valid([]byte(line)) {
				t.Errorf("upstream %d: %s", i, line)
			}
		}
	}
}

package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
)

// A problem is why a request could not be served: what the log, the metrics and the client get to know.
type problem struct {
	kind    string
	status  int
	message string
}

var (
	clientGone  = problem{"client_gone", 499, "the client went away"}
	tooLarge    = problem{"request_too_large", http.StatusRequestEntityTooLarge, "the request is larger than the gateway takes"}
	timedOut    = problem{"upstream_timeout", http.StatusGatewayTimeout, "the upstream took too long"}
	unreachable = problem{"upstream_unreachable", http.StatusBadGateway, "the upstream can't be reached"}
	broken      = problem{"upstream_broken", http.StatusBadGateway, "the upstream broke off or gave no valid response"}
)

// errIdle: the upstream said nothing for too long.
var errIdle = errors.New("the upstream is idle")

func problemOf(err error) problem {
	var large *http.MaxBytesError
	var network net.Error
	var op *net.OpError
	switch {
	case errors.As(err, &large):
		return tooLarge
	case errors.Is(err, errIdle), errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return timedOut
	case errors.Is(err, context.Canceled):
		return clientGone
	case errors.As(err, &op) && op.Op == "dial":
		return unreachable
	}
	return broken
}

// fail answers a request that got no response.
func (g *Gateway) fail(w http.ResponseWriter, r *http.Request, err error) {
	x := exchangeOf(r.Context())
	x.problem = problemOf(err)
	g.metrics.problems.WithLabelValues(x.problem.kind).Inc()
	if x.problem == clientGone {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(x.problem.status)
	json.NewEncoder(w).Encode(x.problem.body(x.route))
}

// body says it in the way of the API that was asked.
func (p problem) body(route *route) any {
	if route == ollamaRoute {
		return map[string]string{"error": p.message}
	}
	return map[string]any{"error": map[string]string{"message": p.message, "type": "gateway_error", "code": p.kind}}
}

// Command harmony-gateway is a reverse proxy for OpenAI-compatible and Ollama servers that leave the harmony text of
// gpt-oss models in their responses: it splits it into reasoning, tool calls and answer. See README.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/gateway"
)

func main() {
	// net/http writes bytes of upstreams into the standard log ("unsolicited response ..."). Ours holds no text.
	log.SetOutput(io.Discard)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stderr, nil); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "harmony-gateway:", err)
		}
		os.Exit(2)
	}
}

// run serves until the context ends. ready, if given, gets the addresses that it listens on.
func run(ctx context.Context, arguments []string, logTo io.Writer, ready func(gateway, metrics net.Addr)) error {
	flags, err := parseFlags(arguments, logTo)
	if err != nil {
		return err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	handler, err := gateway.New(flags.config, registry)
	if err != nil {
		return err
	}
	front, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return err
	}
	defer front.Close()
	side, err := net.Listen("tcp", flags.metrics)
	if err != nil {
		return err
	}
	defer side.Close()
	if ready != nil {
		ready(front.Addr(), side.Addr())
	}
	flags.config.Log.Info("listening", "address", front.Addr().String(), "metrics", side.Addr().String(),
		"upstream", flags.config.Upstream.Redacted())
	return serve(ctx, flags, server(handler, flags), front, server(sideHandler(registry), flags), side)
}

func server(handler http.Handler, flags *flags) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: flags.readHeader,
		IdleTimeout:       2 * time.Minute,
		ErrorLog:          slog.NewLogLogger(flags.config.Log.Handler(), slog.LevelError),
	}
}

// sideHandler serves what is for operators. It has an address of its own: all paths of the other one are the upstream's.
func sideHandler(registry *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok\n") })
	return mux
}

// serve runs both servers. When the context ends, requests that are being served get time to come to their end.
func serve(ctx context.Context, flags *flags, main *http.Server, front net.Listener, operators *http.Server, side net.Listener) error {
	failed := make(chan error, 2)
	go func() { failed <- main.Serve(front) }()
	go func() { failed <- operators.Serve(side) }()
	defer operators.Close()
	defer main.Close()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	flags.config.Log.Info("shutting down", "drain", flags.drain.String())
	drain, cancel := context.WithTimeout(context.Background(), flags.drain)
	defer cancel()
	if err := main.Shutdown(drain); err != nil {
		flags.config.Log.Warn("requests were cut", "problem", "drain_timeout")
	}
	return nil
}

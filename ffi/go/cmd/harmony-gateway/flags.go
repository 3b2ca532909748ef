package main

import (
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"time"

	"harmony-stream/ffi/go"
	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/gateway"
)

type flags struct {
	config            gateway.Config
	listen, metrics   string
	drain, readHeader time.Duration
}

func parseFlags(arguments []string, logTo io.Writer) (*flags, error) {
	all := &flags{config: gateway.Defaults()}
	c := &all.config
	set := flag.NewFlagSet("harmony-gateway", flag.ContinueOnError)
	set.SetOutput(logTo)
	set.StringVar(&all.listen, "listen", "127.0.0.1:8090", "`address` to listen on")
	set.StringVar(&all.metrics, "metrics", "127.0.0.1:9464", "`address` for /metrics and /healthz")
	upstream := set.String("upstream", "", "`URL` of the server behind the gateway; required")
	policy := set.String("policy", "recover", "what text that leaves the grammar does: recover, verbatim")
	routing := set.String("routing", "any_recipient", "what makes a message a tool call: any_recipient, commentary_functions")
	start := set.String("start", "detect", "where responses begin: detect, assistant_header, analysis_body, final_body")
	set.StringVar(&c.Split.Reasoning, "reasoning-field", c.Split.Reasoning, "field for reasoning: reasoning_content, reasoning")
	leak := set.String("leak", string(c.Leak), "leaked protocol text: off, report, retry")
	set.Int64Var(&c.MaxRequest, "max-request", c.MaxRequest, "largest request, in `bytes`; a larger one is refused")
	set.IntVar(&c.MaxBody, "max-body", c.MaxBody, "largest body that is split, in `bytes`; a larger one passes as it is")
	set.IntVar(&c.Split.MaxEvent, "max-event", c.Split.MaxEvent, "largest event or line of a stream that is split, in `bytes`")
	set.IntVar(&c.Split.MaxTranscript, "max-transcript", c.Split.MaxTranscript, "longest text of a choice that is split, in `bytes`")
	set.IntVar(&c.Split.MaxHeld, "max-held", c.Split.MaxHeld, "most of a stream that waits for a decision, in `bytes`")
	set.DurationVar(&c.DialTimeout, "dial-timeout", c.DialTimeout, "how long a connection to the upstream may take")
	set.DurationVar(&c.HeaderTimeout, "header-timeout", c.HeaderTimeout, "how long the upstream's response may take to begin")
	set.DurationVar(&c.IdleTimeout, "idle-timeout", c.IdleTimeout, "how long the upstream may be silent in a response")
	set.DurationVar(&all.readHeader, "read-timeout", 10*time.Second, "how long a client may take to send its header")
	set.DurationVar(&all.drain, "drain", 30*time.Second, "how long requests may take to end at shutdown")
	level := set.String("log-level", "info", "debug, info, warn, error")
	if err := set.Parse(arguments); err != nil {
		return nil, err
	}
	if set.NArg() > 0 {
		return nil, fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	return all, all.finish(*upstream, *policy, *routing, *start, *leak, *level, logTo)
}

// finish takes the flags that are words.
func (f *flags) finish(upstream, policy, routing, start, leak, level string, logTo io.Writer) error {
	c := &f.config
	var err error
	if c.Upstream, err = url.Parse(upstream); err != nil {
		return fmt.Errorf("-upstream: %w", err)
	}
	if c.Split.Parser.Policy, err = word("policy", policy, harmony.PolicyVerbatim, harmony.PolicyRecover); err != nil {
		return err
	}
	c.Split.Parser.Routing, err = word("routing", routing, harmony.RoutingCommentaryFunctions, harmony.RoutingAnyRecipient)
	if err != nil {
		return err
	}
	c.Split.Parser.Start, err = word("start", start, harmony.StartDetect, harmony.StartAssistantHeader,
		harmony.StartAnalysisBody, harmony.StartFinalBody)
	if err != nil {
		return err
	}
	c.Leak = gateway.LeakMode(leak)
	var severity slog.Level
	if err := severity.UnmarshalText([]byte(level)); err != nil {
		return fmt.Errorf("-log-level: %w", err)
	}
	c.Log = slog.New(slog.NewJSONHandler(logTo, &slog.HandlerOptions{Level: severity}))
	return nil
}

// word finds the value that is called so.
func word[T fmt.Stringer](flag, name string, values ...T) (T, error) {
	for _, value := range values {
		if value.String() == name {
			return value, nil
		}
	}
	return values[0], fmt.Errorf("-%s: no such value: %s; there are %v", flag, name, values)
}

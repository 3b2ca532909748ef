// Package gateway is a reverse proxy that splits the harmony text in responses of inference servers.
package gateway

import (
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"harmony-stream/ffi/go/cmd/harmony-gateway/internal/split"
)

// A LeakMode is what is done about protocol that leaked into what goes out.
type LeakMode string

const (
	// LeakOff does not look.
	LeakOff LeakMode = "off"
	// LeakReport tells it in a header (a trailer, where the response streams), the log and the metrics.
	LeakReport LeakMode = "report"
	// LeakRetry asks the upstream again, for responses that don't stream, and reports what is left.
	LeakRetry LeakMode = "retry"
)

// Retries is how often a response that leaks is asked for again.
const Retries = 2

// A Config says what a gateway does.
type Config struct {
	Upstream *url.URL
	Split    split.Settings
	Leak     LeakMode
	// MaxRequest limits the body of a request, in bytes; a larger one is refused.
	MaxRequest int64
	// MaxBody limits a response that is split but does not stream, in bytes; a larger one passes as it is.
	MaxBody int
	// DialTimeout limits how long a connection to the upstream may take, HeaderTimeout how long its first byte, and
	// IdleTimeout how long it may say nothing in the middle of a response.
	DialTimeout, HeaderTimeout, IdleTimeout time.Duration
	// Log never gets text of users or models.
	Log *slog.Logger
}

// Defaults are the defaults of the flags.
func Defaults() Config {
	return Config{
		Split: split.Defaults(), Leak: LeakOff,
		MaxRequest: 32 << 20, MaxBody: 64 << 20,
		DialTimeout: 10 * time.Second, HeaderTimeout: 10 * time.Minute, IdleTimeout: 2 * time.Minute,
		Log: slog.Default(),
	}
}

func (c *Config) check() error {
	switch {
	case c.Upstream == nil || c.Upstream.Scheme != "http" && c.Upstream.Scheme != "https" || c.Upstream.Host == "":
		return fmt.Errorf("the upstream must be an http or https URL, such as -upstream http://127.0.0.1:8000")
	case c.Leak != LeakOff && c.Leak != LeakReport && c.Leak != LeakRetry:
		return fmt.Errorf("no such leak mode: %s", c.Leak)
	case c.Split.Reasoning != "reasoning_content" && c.Split.Reasoning != "reasoning":
		return fmt.Errorf("no such reasoning field: %s", c.Split.Reasoning)
	case c.MaxRequest < 1 || c.MaxBody < 1 || c.Split.MaxEvent < 1 || c.Split.MaxTranscript < 1 || c.Split.MaxHeld < 1:
		return fmt.Errorf("limits must be above 0")
	}
	return nil
}

package tracing

import (
	"errors"
	"fmt"
	"log/slog"
)

// Config is what the environment says of traces. Where they go, and how they
// are batched, is read by the SDK from OTEL_EXPORTER_OTLP_… and OTEL_BSP_….
// The zero value is valid, and disabled.
type Config struct {
	Enabled bool `env:"TRACING_ENABLED" envDefault:"false"`
	// Protocol is http (the default) or grpc.
	Protocol string `env:"TRACING_EXPORTER_PROTOCOL" envDefault:"http"`

	ServiceName      string `env:"TRACING_SERVICE_NAME" envDefault:"RateLimit"`
	ServiceNamespace string `env:"TRACING_SERVICE_NAMESPACE"`
	// ServiceInstanceID is a random UUID when empty.
	ServiceInstanceID string `env:"TRACING_SERVICE_INSTANCE_ID"`

	// SamplingRate is the part, 0 to 1, of the traces begun here that is kept.
	// A trace begun elsewhere was decided there.
	SamplingRate float64 `env:"TRACING_SAMPLING_RATE" envDefault:"1"`

	// Log gets the failures to export. Without it they go where the SDK sends
	// them: to stderr, in a form of its own.
	Log *slog.Logger `env:"-"`
}

// Validate reports all faults, one a line, enabled or not.
func (c Config) Validate() error {
	var faults []error
	switch c.Protocol {
	case "", "http", "grpc":
	default:
		faults = append(faults, fmt.Errorf("TRACING_EXPORTER_PROTOCOL=%q: want http or grpc", c.Protocol))
	}
	if !(c.SamplingRate >= 0 && c.SamplingRate <= 1) { // so that NaN is refused too
		faults = append(faults, fmt.Errorf(`TRACING_SAMPLING_RATE="%g": want a number from 0 to 1`, c.SamplingRate))
	}
	return errors.Join(faults...)
}

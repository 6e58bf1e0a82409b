package tracing_test

import (
	"math"
	"testing"

	"stoa/internal/env"
	"stoa/internal/tracing"
)

func TestValidate(t *testing.T) {
	tests := []struct {
		name string
		cfg  tracing.Config
		want string
	}{
		{"zero", tracing.Config{}, ""},
		{"grpc", tracing.Config{Protocol: "grpc", SamplingRate: 1}, ""},
		{"both wrong", tracing.Config{Protocol: "udp", SamplingRate: 1.5},
			"TRACING_EXPORTER_PROTOCOL=\"udp\": want http or grpc\nTRACING_SAMPLING_RATE=\"1.5\": want a number from 0 to 1"},
		{"negative", tracing.Config{SamplingRate: -0.1}, `TRACING_SAMPLING_RATE="-0.1": want a number from 0 to 1`},
		{"no number", tracing.Config{SamplingRate: math.NaN()}, `TRACING_SAMPLING_RATE="NaN": want a number from 0 to 1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.cfg.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if _, err := tracing.Start(t.Context(), tt.cfg); (err != nil) != (tt.want != "") {
				t.Errorf("start: got %v, want the same as Validate", err)
			}
		})
	}
}

func TestConfigDefaults(t *testing.T) {
	var got tracing.Config
	if err := env.Parse(&got, nil); err != nil {
		t.Fatal(err)
	}
	want := tracing.Config{Protocol: "http", ServiceName: "RateLimit", SamplingRate: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

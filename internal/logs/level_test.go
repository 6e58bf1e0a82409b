package logs_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"stoa/internal/env"
	"stoa/internal/logs"
)

func TestLevelNames(t *testing.T) {
	tests := []struct {
		name, want string
		level      slog.Level
	}{
		{"trace", "trace", logs.LevelTrace},
		{"DEBUG", "debug", slog.LevelDebug},
		{"Info", "info", slog.LevelInfo},
		{"warning", "warning", slog.LevelWarn},
		{"WARN", "warning", slog.LevelWarn},
		{"error", "error", slog.LevelError},
		{"fatal", "fatal", logs.LevelFatal},
		{"Panic", "panic", logs.LevelPanic},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l logs.Level
			if err := l.UnmarshalText([]byte(tt.name)); err != nil {
				t.Fatal(err)
			}
			if l.Level() != tt.level || l.String() != tt.want {
				t.Errorf("got %d %q, want %d %q", l.Level(), l, tt.level, tt.want)
			}
			var b bytes.Buffer
			logs.New(&b, "text", l).Log(t.Context(), tt.level, "m")
			if !strings.Contains(b.String(), " level="+tt.want+" ") {
				t.Errorf("got line %q, want level %q", b.String(), tt.want)
			}
			b.Reset()
			logs.New(&b, "text", l).Log(t.Context(), tt.level-1, "m")
			if b.Len() > 0 {
				t.Errorf("got line %q below the level, want none", b.String())
			}
		})
	}
}

func TestConfigFromTheEnvironment(t *testing.T) {
	tests := []struct {
		name    string
		environ map[string]string
		want    logs.Config
	}{
		{"nothing set", nil, logs.Config{Level: logs.Level(slog.LevelWarn), Format: "text"}},
		{"both set", map[string]string{"LOG_LEVEL": "Debug", "LOG_FORMAT": "json"},
			logs.Config{Level: logs.Level(slog.LevelDebug), Format: "json"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got logs.Config
			if err := env.Parse(&got, tt.environ); err != nil || got != tt.want {
				t.Errorf("got %v, error %v, want %v", got, err, tt.want)
			}
		})
	}
}

func TestUnknownLevelListsTheAllowed(t *testing.T) {
	err := env.Parse(&logs.Config{}, map[string]string{"LOG_LEVEL": "loud"})
	want := `LOG_LEVEL="loud": want trace, debug, info, warning (or warn), error, fatal or panic`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

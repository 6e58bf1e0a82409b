package logs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/slogtest"
	"time"

	"stoa/internal/logs"
)

// noon is not in UTC, and has nanoseconds.
var noon = time.Date(2026, 1, 2, 4, 4, 5, 678901234, time.FixedZone("", 3600))

func TestHandlerKeepsTheRulesOfSlog(t *testing.T) {
	tests := []struct {
		format string
		parse  func(line string) (map[string]any, error)
	}{
		{"text", parseText},
		{"json", parseJSON},
	}
	for _, tt := range tests {
		t.Run(tt.format, func(t *testing.T) {
			var b bytes.Buffer
			slogtest.Run(t, func(*testing.T) slog.Handler {
				b.Reset()
				return logs.New(&b, tt.format, logs.LevelTrace).Handler()
			}, func(t *testing.T) map[string]any {
				m, err := tt.parse(strings.TrimSpace(b.String()))
				if err != nil {
					t.Fatal(err)
				}
				return m
			})
		})
	}
}

func parseJSON(line string) (map[string]any, error) {
	m := map[string]any{}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		return nil, err
	}
	for from, to := range map[string]string{"@message": slog.MessageKey, "@timestamp": slog.TimeKey} {
		if v, ok := m[from]; ok {
			m[to] = v
		}
	}
	return m, nil
}

// parseText knows no blanks in values: slogtest uses none.
func parseText(line string) (map[string]any, error) {
	m := map[string]any{}
	for pair := range strings.FieldsSeq(line) {
		path, value, _ := strings.Cut(pair, "=")
		at := m
		groups := strings.Split(path, ".")
		for _, g := range groups[:len(groups)-1] {
			if at[g] == nil {
				at[g] = map[string]any{}
			}
			at = at[g].(map[string]any)
		}
		at[groups[len(groups)-1]] = strings.Trim(value, `"`)
	}
	return m, nil
}

func TestLoggersDerivedFromOneStayApart(t *testing.T) {
	var b bytes.Buffer
	base := logs.New(&b, "text", slog.LevelInfo).With("a", 1).WithGroup("g").With("b", 2)
	left, right := base.With("left", 3), base.WithGroup("right").With("c", 4)
	base.Info("m", "d", 5)
	left.Info("m")
	right.Info("m")
	for i, want := range []string{"a=1 g.b=2 g.d=5", "a=1 g.b=2 g.left=3", "a=1 g.b=2 g.right.c=4"} {
		_, got, _ := strings.Cut(strings.Split(b.String(), "\n")[i], "msg=m ")
		if got != want {
			t.Errorf("line %d: got %q, want %q", i, got, want)
		}
	}
}

func TestAGroupWithoutMembersIsLeftOut(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var b bytes.Buffer
		logs.New(&b, format, slog.LevelInfo).WithGroup("g").Info("m")
		if strings.Contains(b.String(), "g.") || strings.Contains(b.String(), `"g"`) {
			t.Errorf("got %q, want no group", b.String())
		}
	}
}

// writes counts calls and lines; its counters are safe only if calls do not overlap.
type writes struct{ calls, lines int }

func (w *writes) Write(p []byte) (int, error) {
	w.calls++
	w.lines += bytes.Count(p, []byte("\n"))
	return len(p), nil
}

func TestEachLineIsOneWrite(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var w writes
		log := logs.New(&w, format, slog.LevelInfo)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for i := range 100 {
					log.With("i", i).Info("hello there")
				}
			})
		}
		all.Wait()
		if w.calls != 800 || w.lines != 800 {
			t.Errorf("%s: got %d writes and %d lines, want 800 each", format, w.calls, w.lines)
		}
	}
}

// gossip logs while it is being logged.
type gossip struct{ log *slog.Logger }

func (g gossip) LogValue() slog.Value {
	g.log.Info("asked")
	return slog.StringValue("told")
}

func TestAValueMayLogWhileItIsLogged(t *testing.T) {
	var b bytes.Buffer
	log := logs.New(&b, "text", slog.LevelInfo)
	log.Info("m", "v", gossip{log})
	if got := b.String(); !strings.Contains(got, "msg=asked") || !strings.Contains(got, "v=told") {
		t.Errorf("got %q, want both lines", got)
	}
}

func TestWriteErrorIsReturned(t *testing.T) {
	reader, writer := io.Pipe()
	reader.Close()
	h := logs.New(writer, "text", slog.LevelInfo).Handler()
	if err := h.Handle(t.Context(), slog.NewRecord(noon, slog.LevelWarn, "m", 0)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v, want %v", err, io.ErrClosedPipe)
	}
}

package logs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/slogtest"
	"time"

	"stoa/internal/logs"
)

// noon is not in UTC, and has nanoseconds.
var noon = time.Date(2026, 1, 2, 4, 4, 5, 678901234, time.FixedZone("", 3600))

func line(format, message string, attrs ...slog.Attr) string {
	var b bytes.Buffer
	r := slog.NewRecord(noon, slog.LevelWarn, message, 0)
	r.AddAttrs(attrs...)
	if err := logs.New(&b, format, slog.LevelWarn).Handler().Handle(context.Background(), r); err != nil {
		return "error: " + err.Error()
	}
	return b.String()
}

type broken struct{}

func (broken) MarshalJSON() ([]byte, error) { panic("no json") }
func (broken) MarshalText() ([]byte, error) { panic("no text") }

const (
	textHead = `time="2026-01-02T03:04:05Z" level=warning msg=`
	jsonTime = `"@timestamp":"2026-01-02T03:04:05.678901234Z","level":"warning"`
)

func TestLineOfEachFormat(t *testing.T) {
	tests := []struct {
		name     string
		message  string
		attrs    []slog.Attr
		wantText string
		wantJSON string
	}{
		{"message", "Listening for HTTP on ':8080'", nil,
			`"Listening for HTTP on ':8080'"`, `"Listening for HTTP on ':8080'",TIME`},
		{"single word", "stopped", nil, `stopped`, `"stopped",TIME`},
		{"no message", "", nil, ``, `"",TIME`},
		{"attributes", "m", []slog.Attr{slog.String("domain", "web"), slog.Int("hits", 3), slog.Bool("over", true)},
			`m domain=web hits=3 over=true`, `"m",TIME,"domain":"web","hits":3,"over":true`},
		{"value to be quoted", "m", []slog.Attr{slog.String("addr", "[::1]:80"), slog.String("empty", "")},
			`m addr="[::1]:80" empty=`, `"m",TIME,"addr":"[::1]:80","empty":""`},
		{"key to be quoted", "m", []slog.Attr{slog.String("a=b c", "1")}, `m "a=b c"=1`, `"m",TIME,"a=b c":"1"`},
		{"line breaks", "a\nlevel=error\r\tb", []slog.Attr{slog.String("k", "\n{")},
			`"a\nlevel=error\r\tb" k="\n{"`, `"a\nlevel=error\r\tb",TIME,"k":"\n{"`},
		{"terminal escapes", "\x1b[31m\u009b\x7f", nil, `"\x1b[31m\u009b\x7f"`, `"\u001b[31m\u009b\u007f",TIME`},
		{"not UTF-8", "\xff", nil, `"\xff"`, `"\ufffd",TIME`},
		{"markup stays readable", "<a&b>", nil, `"<a&b>"`, `"<a&b>",TIME`},
		{"error", "m", []slog.Attr{slog.Any("error", errors.New("no such file"))},
			`m error="no such file"`, `"m",TIME,"error":"no such file"`},
		{"duration", "m", []slog.Attr{slog.Duration("took", 1500*time.Millisecond)},
			`m took=1.5s`, `"m",TIME,"took":1500000000`},
		{"time in UTC", "m", []slog.Attr{slog.Time("at", noon)},
			`m at="2026-01-02T03:04:05.678901234Z"`, `"m",TIME,"at":"2026-01-02T03:04:05.678901234Z"`},
		{"bytes", "m", []slog.Attr{slog.Any("b", []byte("hi"))}, `m b=hi`, `"m",TIME,"b":"aGk="`},
		{"no number", "m", []slog.Attr{slog.Float64("f", math.NaN())}, `m f=NaN`, `"m",TIME,"f":"NaN"`},
		{"unspeakable in JSON", "m", []slog.Attr{slog.Any("c", struct{ F func() }{})}, `m c="{F:<nil>}"`, `"m",TIME,"c":"{F:<nil>}"`},
		{"group", "m", []slog.Attr{slog.Group("g", slog.Int("a", 1), slog.Group("empty"), slog.Group("h", slog.Int("b", 2)))},
			`m g.a=1 g.h.b=2`, `"m",TIME,"g":{"a":1,"h":{"b":2}}`},
		{"clash with the text's own keys", "m", []slog.Attr{slog.String("msg", "x"), slog.String("time", "y")},
			`m fields.msg=x fields.time=y`, `"m",TIME,"msg":"x","time":"y"`},
		{"clash with the JSON's own keys", "m", []slog.Attr{slog.String("level", "x"), slog.String("@message", "y")},
			`m fields.level=x @message=y`, `"m",TIME,"fields.level":"x","fields.@message":"y"`},
		{"value that panics", "m", []slog.Attr{slog.Any("v", broken{})}, `m v="!PANIC: no text"`, `"m",TIME,"v":"!PANIC: no json"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, want := line("text", tt.message, tt.attrs...), textHead+tt.wantText+"\n"; got != want {
				t.Errorf("text:\ngot  %swant %s", got, want)
			}
			want := `{"@message":` + strings.Replace(tt.wantJSON, "TIME", jsonTime, 1) + "}\n"
			if got := line("JSON", tt.message, tt.attrs...); got != want {
				t.Errorf("json:\ngot  %swant %s", got, want)
			}
		})
	}
}

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

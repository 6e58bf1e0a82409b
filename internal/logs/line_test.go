package logs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"stoa/internal/logs"
)

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

// wordy is an error that prints its stack when asked for details.
type wordy struct{ error }

func (w wordy) Format(s fmt.State, _ rune) {
	fmt.Fprint(s, w.Error())
	if s.Flag('+') {
		fmt.Fprint(s, " in main.go:1")
	}
}

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
		{"error with a stack", "m", []slog.Attr{slog.Any("error", wordy{io.EOF})}, `m error=EOF`, `"m",TIME,"error":"EOF"`},
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

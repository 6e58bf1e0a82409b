// Package logs makes the logger of the process: lines of text or of JSON, in
// the form that logrus gives them, since tools that read the rate limiter's
// log already know it.
//
//	time="2026-01-02T03:04:05Z" level=warning msg="Listening for HTTP on ':8080'" domain=web
//	{"@message":"Listening for HTTP on ':8080'","@timestamp":"2026-01-02T03:04:05.678901234Z","level":"warning","domain":"web"}
//
// Times are in UTC. Whatever a message, a key or a value holds, a line stays
// one line, and no control character reaches a terminal.
package logs

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// Config is what the environment says of the log.
type Config struct {
	// Level is the least level that is written.
	Level Level `env:"LOG_LEVEL" envDefault:"WARN"`
	// Format is json, in any letter case, or else text.
	Format string `env:"LOG_FORMAT" envDefault:"text"`
}

// New makes a logger that writes each line with one call of w.Write, never two
// at a time. Format is that of [Config].
func New(w io.Writer, format string, level slog.Leveler) *slog.Logger {
	line := textLine
	if strings.EqualFold(format, "json") {
		line = jsonLine
	}
	return slog.New(handler{out: &output{w: w}, level: level, line: line})
}

type output struct {
	mu sync.Mutex
	w  io.Writer
}

// handler keeps what With and WithGroup gave as a path of scopes and formats
// it with each record: lines are few, so it saves the second code path.
type handler struct {
	out    *output
	level  slog.Leveler
	line   func(r slog.Record, attrs []slog.Attr) []byte
	scopes []scope
}

// scope is a group that was opened, none for the first, and its attributes.
type scope struct {
	group string
	attrs []slog.Attr
}

func (h handler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.level.Level() }

func (h handler) WithGroup(name string) slog.Handler {
	h.scopes = append(slices.Clip(h.scopes), scope{group: name})
	return h
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.scopes = slices.Clone(h.scopes)
	if len(h.scopes) == 0 {
		h.scopes = []scope{{}}
	}
	last := &h.scopes[len(h.scopes)-1]
	last.attrs = slices.Concat(last.attrs, attrs)
	return h
}

// Handle holds the lock for the write only: a value that logs while it is
// being formatted must not wait for itself.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	line := h.line(r, h.attrs(r))
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := h.out.w.Write(line)
	return err
}

// attrs puts the attributes of the record into the groups that are open.
func (h handler) attrs(r slog.Record) []slog.Attr {
	attrs := make([]slog.Attr, 0, r.NumAttrs())
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	for _, s := range slices.Backward(h.scopes) {
		attrs = slices.Concat(s.attrs, attrs)
		if s.group != "" {
			attrs = []slog.Attr{{Key: s.group, Value: slog.GroupValue(attrs...)}}
		}
	}
	return attrs
}

// rename keeps an attribute from posing as one of the line's own keys, as
// logrus does it.
func rename(key string, own ...string) string {
	if slices.Contains(own, key) {
		return "fields." + key
	}
	return key
}

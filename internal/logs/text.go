package logs

import (
	"encoding"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"time"
)

func textLine(r slog.Record, attrs []slog.Attr) []byte {
	var b []byte
	if !r.Time.IsZero() {
		b = appendPair(b, "time", r.Time.UTC().Format(time.RFC3339))
	}
	b = appendPair(b, "level", levelName(r.Level))
	b = appendPair(b, "msg", r.Message)
	for _, a := range attrs {
		b = appendText(b, "", a)
	}
	return append(b, '\n')
}

// appendText writes the attributes of a group as group.key=value.
func appendText(b []byte, group string, a slog.Attr) []byte {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, inner := range value.Group() {
			b = appendText(b, group, inner)
		}
		return b
	}
	if a.Key == "" && value.Equal(slog.Value{}) {
		return b
	}
	return appendPair(b, rename(group+a.Key, "time", "level", "msg"), valueText(value))
}

func appendPair(b []byte, key, value string) []byte {
	if len(b) > 0 {
		b = append(b, ' ')
	}
	return appendQuoted(append(appendQuoted(b, key), '='), value)
}

// appendQuoted leaves bare what logrus leaves bare. The rest gets Go's quotes,
// with everything escaped that is not printable.
func appendQuoted(b []byte, s string) []byte {
	bare := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-._/@^+", c)
	}
	if strings.ContainsFunc(s, func(c rune) bool { return !bare(c) }) {
		return strconv.AppendQuote(b, s)
	}
	return append(b, s...)
}

func valueText(v slog.Value) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("!PANIC: %v", p)
		}
	}()
	switch v.Kind() {
	case slog.KindTime:
		return v.Time().UTC().Format(time.RFC3339Nano)
	case slog.KindAny:
		switch value := v.Any().(type) {
		case error:
			return fmt.Sprint(value) // not %+v, for which some errors print their stack
		case []byte:
			return string(value)
		case encoding.TextMarshaler:
			if text, err := value.MarshalText(); err == nil {
				return string(text)
			}
		}
		return fmt.Sprintf("%+v", v.Any())
	}
	return v.String()
}

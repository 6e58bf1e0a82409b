package logs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"
)

func jsonLine(r slog.Record, attrs []slog.Attr) []byte {
	b := append([]byte{'{'}, `"@message":`...)
	b = appendJSON(b, r.Message)
	if !r.Time.IsZero() {
		b = appendMember(b, "@timestamp", r.Time.UTC().Format(time.RFC3339Nano))
	}
	b = appendMember(b, "level", levelName(r.Level))
	for _, a := range attrs {
		a.Key = rename(a.Key, "@message", "@timestamp", "level")
		b = appendAttr(b, a)
	}
	return append(b, '}', '\n')
}

// appendAttr writes a group as an object, and nothing for one without members.
func appendAttr(b []byte, a slog.Attr) []byte {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		return appendGroup(b, a.Key, value.Group())
	}
	if a.Key == "" && value.Equal(slog.Value{}) {
		return b
	}
	return appendMember(b, a.Key, plain(value))
}

func appendGroup(b []byte, key string, attrs []slog.Attr) []byte {
	if key == "" {
		for _, a := range attrs {
			b = appendAttr(b, a)
		}
		return b
	}
	before := len(b)
	b = append(appendJSON(appendComma(b), key), ':', '{')
	empty := len(b)
	for _, a := range attrs {
		b = appendAttr(b, a)
	}
	if len(b) == empty {
		return b[:before]
	}
	return append(b, '}')
}

func appendMember(b []byte, key string, value any) []byte {
	return appendJSON(append(appendJSON(appendComma(b), key), ':'), value)
}

func appendComma(b []byte) []byte {
	if b[len(b)-1] == '{' {
		return b
	}
	return append(b, ',')
}

// plain is the value as encoding/json should see it.
func plain(v slog.Value) any {
	if v.Kind() == slog.KindTime {
		return v.Time().UTC()
	}
	value := v.Any()
	_, marshals := value.(json.Marshaler)
	if err, ok := value.(error); ok && !marshals {
		return valueText(slog.AnyValue(err))
	}
	return value
}

// appendJSON falls back to text for what JSON cannot say, such as NaN.
func appendJSON(b []byte, value any) []byte {
	encoded, err := encode(value)
	if err != nil {
		if encoded, err = encode(valueText(slog.AnyValue(value))); err != nil {
			encoded = []byte(`"!ERROR"`)
		}
	}
	return append(b, escapeControls(encoded)...)
}

func encode(value any) (encoded []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			encoded, err = encode(fmt.Sprintf("!PANIC: %v", p))
		}
	}()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // the log is no web page, and < should stay readable
	err = e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), err
}

// escapeControls escapes what JSON allows bare but a terminal obeys: DEL and
// the C1 controls. In valid JSON they stand in strings only.
func escapeControls(encoded []byte) []byte {
	control := func(c rune) bool { return 0x7f <= c && c <= 0x9f }
	if !bytes.ContainsFunc(encoded, control) {
		return encoded
	}
	var b []byte
	for _, c := range string(encoded) {
		if control(c) {
			b = fmt.Appendf(b, `\u%04x`, c)
		} else {
			b = append(b, string(c)...)
		}
	}
	return b
}

package inventory

import (
	"encoding/json"
	"io"
	"math"
	"strings"
)

// WriteJSON writes a value as indented JSON.
func WriteJSON(w io.Writer, v *Value) error {
	var b strings.Builder
	appendJSON(&b, v, "\n")
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// appendJSON writes v; newline is a line end with the indent of v, blank for
// everything on one line.
func appendJSON(b *strings.Builder, v *Value, newline string) {
	inner := newline
	if newline != "" {
		inner += "  "
	}
	switch v.Kind {
	case List:
		if len(v.Items) == 0 {
			b.WriteString("[]")
			return
		}
		for i, item := range v.Items {
			b.WriteString([]string{",", "["}[btoi(i == 0)] + inner)
			appendJSON(b, item, inner)
		}
		b.WriteString(newline + "]")
	case Map:
		if len(v.Members) == 0 {
			b.WriteString("{}")
			return
		}
		for i := range v.Members {
			b.WriteString([]string{",", "{"}[btoi(i == 0)] + inner)
			b.Write(jsonString(v.Members[i].Name))
			b.WriteString(": ")
			appendJSON(b, v.Members[i].Value, inner)
		}
		b.WriteString(newline + "}")
	case String, Time:
		b.Write(jsonString(v.Text))
	case Float:
		if f := math.Float64frombits(v.bits); math.IsInf(f, 0) || math.IsNaN(f) {
			b.Write(jsonString(scalarText(v))) // JSON has no such number
			return
		}
		b.WriteString(scalarText(v))
	default:
		b.WriteString(scalarText(v))
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func jsonString(text string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always can be
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

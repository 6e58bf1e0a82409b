package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"stoa/inventory"
)

// tomlText is a map of the document as TOML. Names of the outermost maps are the
// headers of tables, as they are written in the document. Tables keep their
// order: containerd tries hosts in it. No encoder of maps does that, so ours
// writes and the library's parser judges.
func tomlText(v *inventory.Value) ([]byte, error) {
	var b bytes.Buffer
	tomlTable(&b, "", v)
	var any map[string]any
	if err := toml.Unmarshal(b.Bytes(), &any); err != nil {
		return nil, fmt.Errorf("not valid TOML: %w", err)
	}
	return b.Bytes(), nil
}

func tomlTable(b *bytes.Buffer, header string, v *inventory.Value) {
	var lines bytes.Buffer
	tables := 0
	for _, m := range v.Members {
		switch {
		case m.Value.Kind == inventory.Map:
			tables++
		case m.Value.Kind != inventory.Null && header == "":
			lines.WriteString(m.Name + " = " + tomlValue(m.Value) + "\n")
		case m.Value.Kind != inventory.Null:
			lines.WriteString(tomlKey(m.Name) + " = " + tomlValue(m.Value) + "\n")
		}
	}
	if header != "" && (lines.Len() > 0 || tables == 0) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("[" + header + "]\n")
	}
	b.Write(lines.Bytes())
	for _, m := range v.Members {
		switch {
		case m.Value.Kind != inventory.Map:
		case header == "":
			tomlTable(b, m.Name, m.Value)
		default:
			tomlTable(b, header+"."+tomlKey(m.Name), m.Value)
		}
	}
}

func tomlValue(v *inventory.Value) string {
	var parts []string
	switch v.Kind {
	case inventory.List:
		for _, item := range v.Items {
			parts = append(parts, tomlValue(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case inventory.Map:
		for _, m := range v.Members {
			parts = append(parts, tomlKey(m.Name)+" = "+tomlValue(m.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case inventory.String, inventory.Time, inventory.Null:
		return tomlString(v.Scalar())
	}
	return v.Scalar()
}

func tomlKey(name string) string {
	bare := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	}
	if name != "" && strings.TrimFunc(name, bare) == "" {
		return name
	}
	return tomlString(name)
}

// tomlString quotes a text. TOML's escapes are those of JSON, but a DEL has to be
// escaped too.
func tomlString(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always can be
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007f`)
}

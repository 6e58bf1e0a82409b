package inventory

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WriteYAML writes a value as YAML that reads back as the same value. It writes
// as it walks: the tree of nodes that the YAML library wants would be several
// times as large as the document.
func WriteYAML(w io.Writer, v *Value) error {
	b := bufio.NewWriter(w)
	y := yamlWriter{b}
	switch {
	case v.Kind == Map && len(v.Members) > 0:
		y.members(v, 0)
	case v.Kind == List && len(v.Items) > 0:
		y.items(v, 0)
	default:
		y.WriteString(yamlScalar(v))
		y.WriteByte('\n')
	}
	return b.Flush()
}

// maxPlainKey is below the length from which YAML wants a key to be announced.
const maxPlainKey = 500

type yamlWriter struct{ *bufio.Writer }

func (y yamlWriter) indent(n int) {
	for range n {
		y.WriteByte(' ')
	}
}

// members writes a map whose first line is indented already.
func (y yamlWriter) members(v *Value, indent int) {
	for i := range v.Members {
		if i > 0 {
			y.indent(indent)
		}
		m := &v.Members[i]
		switch {
		case m.Untext:
			y.WriteString(m.Name)
		case len(m.Name) > maxPlainKey:
			y.WriteString("? " + yamlQuoted(m.Name) + "\n")
			y.indent(indent)
		default:
			y.WriteString(yamlText(m.Name))
		}
		y.WriteByte(':')
		y.value(m.Value, indent)
	}
}

// value writes what follows a name.
func (y yamlWriter) value(v *Value, indent int) {
	switch {
	case v.Kind == Map && len(v.Members) > 0:
		y.WriteByte('\n')
		y.indent(indent + 2)
		y.members(v, indent+2)
	case v.Kind == List && len(v.Items) > 0:
		y.WriteByte('\n')
		y.indent(indent + 2)
		y.items(v, indent+2)
	case v.Kind == String && fitsBlock(v.Text):
		y.block(v.Text, indent+2)
	default:
		y.WriteByte(' ')
		y.WriteString(yamlScalar(v))
		y.WriteByte('\n')
	}
}

// items writes a list whose first line is indented already.
func (y yamlWriter) items(v *Value, indent int) {
	for i, item := range v.Items {
		if i > 0 {
			y.indent(indent)
		}
		y.WriteString("- ")
		switch {
		case item.Kind == Map && len(item.Members) > 0:
			y.members(item, indent+2)
		case item.Kind == List && len(item.Items) > 0:
			y.items(item, indent+2)
		default:
			y.WriteString(yamlScalar(item))
			y.WriteByte('\n')
		}
	}
}

// fitsBlock tells a text of several lines that reads well as it is.
func fitsBlock(text string) bool {
	first, _, several := strings.Cut(text, "\n")
	if !several || first == "" || first[0] == ' ' || strings.HasSuffix(text, "\n\n") {
		return false
	}
	for _, r := range text {
		if r == '\t' || r == '\r' || needsEscape(r) {
			return false
		}
	}
	return true
}

func (y yamlWriter) block(text string, indent int) {
	body, ended := strings.CutSuffix(text, "\n")
	y.WriteString(" |")
	if !ended {
		y.WriteByte('-')
	}
	y.WriteByte('\n')
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			y.indent(indent)
			y.WriteString(line)
		}
		y.WriteByte('\n')
	}
}

func yamlScalar(v *Value) string {
	switch v.Kind {
	case String:
		return yamlText(v.Text)
	case Float:
		return yamlFloat(v)
	case List:
		return "[]"
	case Map:
		return "{}"
	}
	return scalarText(v)
}

func yamlFloat(v *Value) string {
	f := math.Float64frombits(v.bits)
	switch text := scalarText(v); {
	case math.IsInf(f, 0):
		return strings.Replace(text, "inf", ".inf", 1)
	case math.IsNaN(f):
		return ".nan"
	case strings.Contains(text, "e") && !strings.Contains(text, "."): // YAML 1.1 wants the point
		return strings.Replace(text, "e", ".0e", 1)
	default:
		return text
	}
}

// yamlText quotes a text unless it surely reads back as itself.
func yamlText(text string) string {
	if isPlain(text) {
		if v, ok := resolvePlain(text); ok && v.Kind == String {
			return text
		}
	}
	if strings.ContainsAny(text, `"\`) && !strings.ContainsAny(text, "'\n\r\t") && !strings.ContainsFunc(text, needsEscape) {
		return "'" + text + "'"
	}
	return yamlQuoted(text)
}

// isPlain tells a text that needs no quotes anywhere in a block; it is careful
// rather than complete.
func isPlain(text string) bool {
	if text == "" || strings.HasPrefix(text, "...") || strings.HasPrefix(text, "--") || strings.HasPrefix(text, "- ") || text == "-" {
		return false
	}
	last := rune(' ')
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("_/.$()-", r):
		case r == ' ':
			if last == ' ' || last == ':' {
				return false
			}
		case r == ':' || i > 0 && strings.ContainsRune("+@=,;~^%*<>|&!?", r):
		case r < utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsNumber(r):
			return false
		}
		last = r
	}
	return last != ' ' && last != ':'
}

func needsEscape(r rune) bool {
	return !printable(r) || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
}

func yamlQuoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r' || needsEscape(r):
			if r > 0xff {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteString(`\x` + strconv.FormatInt(int64(r)|0x100, 16)[1:])
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

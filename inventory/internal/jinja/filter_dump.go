package jinja

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// filterToJSON writes as Python's json.dumps: ", " and ": " between things,
// everything beyond ASCII escaped, members in their order.
func filterToJSON(st *state, v any, a arguments) (any, error) {
	p, err := a.bind("indent")
	if err != nil {
		return nil, err
	}
	indent, err := p.integer(0, 0)
	if err != nil {
		return nil, err
	}
	if indent < 0 || indent > 100 {
		return nil, fail("the indent %d is out of range", indent)
	}
	j := &jsonWriter{st: st, indented: p.given(0), indent: indent}
	if err := j.write(v, 0); err != nil {
		return nil, err
	}
	return string(j.b), st.charge(len(j.b))
}

type jsonWriter struct {
	st       *state
	b        []byte
	indented bool
	indent   int
}

func (j *jsonWriter) write(v any, depth int) error {
	v, err := force(v)
	if err != nil {
		return err
	}
	if depth > maxNesting {
		return fail("values are nested more than %d deep", maxNesting)
	}
	if err := j.st.room(len(j.b)); err != nil {
		return err
	}
	switch v := v.(type) {
	case nil:
		j.b = append(j.b, "null"...)
		return nil
	case bool:
		j.b = strconv.AppendBool(j.b, v)
		return nil
	case int64, float64:
		s := spellScalar(v)
		j.b = append(j.b, strings.NewReplacer("inf", "Infinity", "nan", "NaN").Replace(s)...)
		return nil
	case string:
		j.text(v)
		return nil
	case *Map:
		return j.list('{', '}', v.Len(), depth, func(i int) error {
			e := v.entries[i]
			j.text(jsonKey(e.key))
			j.b = append(j.b, ": "...)
			return j.write(e.value, depth+1)
		})
	}
	if items, ok := sequence(v); ok && kindOf(v) != "a range" {
		return j.list('[', ']', len(items), depth, func(i int) error { return j.write(items[i], depth+1) })
	}
	if err := refuseUndefined(v); err != nil {
		return err
	}
	return fail("%s has no JSON: add | list before", kindOf(v))
}

func jsonKey(key any) string {
	switch key := key.(type) {
	case string:
		return key
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(key)
	}
	return spellScalar(key)
}

func (j *jsonWriter) list(open, end byte, n, depth int, item func(int) error) error {
	if err := j.st.step(n); err != nil {
		return err
	}
	j.b = append(j.b, open)
	for i := range n {
		if i > 0 {
			j.b = append(j.b, ',')
			if !j.indented {
				j.b = append(j.b, ' ')
			}
		}
		j.newline(depth + 1)
		if err := item(i); err != nil {
			return err
		}
	}
	if n > 0 {
		j.newline(depth)
	}
	j.b = append(j.b, end)
	return nil
}

func (j *jsonWriter) newline(depth int) {
	if j.indented {
		j.b = append(j.b, '\n')
		j.b = append(j.b, strings.Repeat(" ", j.indent*depth)...)
	}
}

var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func (j *jsonWriter) text(s string) {
	j.b = append(j.b, '"')
	for _, r := range s {
		escape, ok := jsonEscapes[r]
		switch {
		case ok:
			j.b = append(j.b, escape...)
		case r >= ' ' && r < utf8.RuneSelf-1:
			j.b = append(j.b, byte(r))
		case r == 0x7f:
			j.b = append(j.b, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			j.b = appendUnicode(appendUnicode(j.b, high), low)
		default:
			j.b = appendUnicode(j.b, r)
		}
	}
	j.b = append(j.b, '"')
}

func appendUnicode(b []byte, r rune) []byte {
	digits := strconv.FormatInt(int64(r), 16)
	return append(append(append(b, `\u`...), "0000"[len(digits):]...), digits...)
}

// filterToYAML writes block style with sorted members, as Python's yaml.dump.
func filterToYAML(st *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	n, err := st.yamlNode(v, 0)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	enc.CompactSeqIndent()
	if err := enc.Encode(n); err != nil {
		return nil, fail("the value has no YAML: %v", err)
	}
	return b.String(), st.charge(b.Len())
}

func (st *state) yamlNode(v any, depth int) (*yaml.Node, error) {
	v, err := force(v)
	if err != nil {
		return nil, err
	}
	if depth > maxNesting {
		return nil, fail("values are nested more than %d deep", maxNesting)
	}
	if err := st.charge(bytesPerItem); err != nil {
		return nil, err
	}
	n := &yaml.Node{}
	switch v := v.(type) {
	case nil, bool, int64, float64, string:
		return n, n.Encode(v)
	case *Map:
		n.Kind = yaml.MappingNode
		if v.Len() == 0 {
			n.Style = yaml.FlowStyle
		}
		entries := slices.Clone(v.entries)
		slices.SortStableFunc(entries, func(a, b entry) int { return strings.Compare(keyText(a.key), keyText(b.key)) })
		for _, e := range entries {
			key, err := st.yamlNode(e.key, depth+1)
			if err != nil {
				return nil, err
			}
			value, err := st.yamlNode(e.value, depth+1)
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, key, value)
		}
		return n, nil
	}
	items, ok := sequence(v)
	if !ok {
		if err := refuseUndefined(v); err != nil {
			return nil, err
		}
		return nil, fail("%s has no YAML", kindOf(v))
	}
	n.Kind = yaml.SequenceNode
	if len(items) == 0 {
		n.Style = yaml.FlowStyle
	}
	for _, item := range items {
		c, err := st.yamlNode(item, depth+1)
		if err != nil {
			return nil, err
		}
		n.Content = append(n.Content, c)
	}
	return n, nil
}

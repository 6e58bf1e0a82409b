package jinja

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var textFilters = map[string]filter{
	"string":      onText(func(_ *state, s string, _ parameters) (any, error) { return s, nil }),
	"safe":        onText(func(_ *state, s string, _ parameters) (any, error) { return s, nil }),
	"upper":       onText(func(_ *state, s string, _ parameters) (any, error) { return cased("upper", s), nil }),
	"lower":       onText(func(_ *state, s string, _ parameters) (any, error) { return cased("lower", s), nil }),
	"capitalize":  onText(func(_ *state, s string, _ parameters) (any, error) { return cased("capitalize", s), nil }),
	"title":       onText(textTitle),
	"trim":        onText(textTrim, "chars"),
	"replace":     onText(textReplace, "old", "new", "count"),
	"indent":      onlyText(textIndent, "width", "first", "blank"),
	"truncate":    onlyText(textTruncate, "length", "killwords", "end", "leeway"),
	"center":      onText(textCenter, "width"),
	"wordcount":   onText(textWordCount),
	"wordwrap":    onlyText(textWrap, "width", "break_long_words", "wrapstring"),
	"escape":      onText(textEscape),
	"e":           onText(textEscape),
	"forceescape": onText(textEscape),
	"striptags":   onText(textStripTags),
	"format":      filterFormat,
	"urlencode":   filterURLEncode,
}

// onText makes a filter of the text of whatever stands before the bar.
func onText(fn func(*state, string, parameters) (any, error), names ...string) filter {
	return func(st *state, v any, a arguments) (any, error) {
		p, err := a.bind(names...)
		if err != nil {
			return nil, err
		}
		s, err := st.text(v)
		if err != nil {
			return nil, err
		}
		if err := st.charge(len(s)); err != nil {
			return nil, err
		}
		return fn(st, s, p)
	}
}

// onlyText is onText for filters that Jinja2 gives strings only.
func onlyText(fn func(*state, string, parameters) (any, error), names ...string) filter {
	apply := onText(fn, names...)
	return func(st *state, v any, a arguments) (any, error) {
		if err := refuseUndefined(v); err != nil {
			return nil, err
		}
		if _, ok := v.(string); !ok {
			return nil, fail("a string is needed, not %s: add | string before", kindOf(v))
		}
		return apply(st, v, a)
	}
}

var wordStart = regexp.MustCompile(`[-\s({\[<]+`)

func textTitle(_ *state, s string, _ parameters) (any, error) {
	var b strings.Builder
	from := 0
	for _, gap := range append(wordStart.FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		b.WriteString(cased("capitalize", s[from:gap[0]]))
		b.WriteString(s[gap[0]:gap[1]])
		from = gap[1]
	}
	return b.String(), nil
}

func textTrim(_ *state, s string, p parameters) (any, error) {
	chars, err := p.str(0, "")
	return strip(s, chars, p.given(0), true, true), err
}

func textReplace(st *state, s string, p parameters) (any, error) {
	if err := p.need(1); err != nil {
		return nil, err
	}
	for i := range 2 {
		text, err := st.text(p.values[i])
		if err != nil {
			return nil, err
		}
		p.values[i] = text
	}
	return st.replaceIn(s, p)
}

func textIndent(st *state, s string, p parameters) (any, error) {
	indent, isText := p.or(0, nil).(string)
	if !isText {
		width, err := p.integer(0, 4)
		if err != nil {
			return nil, err
		}
		blanks, err := st.repeat(" ", int64(width))
		if err != nil {
			return nil, err
		}
		indent = blanks.(string)
	}
	lines := strings.Split(newlines(s), "\n")
	if err := st.charge(len(s) + product(len(lines), len(indent))); err != nil {
		return nil, err
	}
	for i, line := range lines {
		if i == 0 && p.truth(1) || i > 0 && (line != "" || p.truth(2)) {
			lines[i] = indent + line
		}
	}
	return strings.Join(lines, "\n"), nil
}

func textTruncate(_ *state, s string, p parameters) (any, error) {
	length, err := p.integer(0, 255)
	if err != nil {
		return nil, err
	}
	end, err := p.str(2, "...")
	if err != nil {
		return nil, err
	}
	leeway, err := p.integer(3, 5)
	if err != nil {
		return nil, err
	}
	room := length - utf8.RuneCountInString(end)
	if room < 0 || leeway < 0 {
		return nil, fail("the length must be at least that of the end, the leeway at least 0")
	}
	r := []rune(s)
	if len(r) <= length || len(r)-length <= leeway {
		return s, nil
	}
	cut := string(r[:room])
	if at := strings.LastIndex(cut, " "); at >= 0 && !p.truth(1) {
		cut = cut[:at]
	}
	return cut + end, nil
}

func textCenter(st *state, s string, p parameters) (any, error) {
	width, err := p.integer(0, 80)
	if err != nil {
		return nil, err
	}
	return st.pad(s, width, " ", '|')
}

func textWordCount(_ *state, s string, _ parameters) (any, error) {
	words := strings.FieldsFunc(s, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	return int64(len(words)), nil
}

func textWrap(st *state, s string, p parameters) (any, error) {
	width, err := p.integer(0, 79)
	if err != nil {
		return nil, err
	}
	if width < 1 {
		return nil, fail("the width must be at least 1")
	}
	newline, err := p.str(2, "\n")
	if err != nil {
		return nil, err
	}
	breakLong := !p.has(1) || p.truth(1)
	var lines []string
	for _, line := range splitLines(s) {
		lines = append(lines, wrapLine(line, width, breakLong)...)
	}
	if err := st.charge(len(s) + product(len(lines), len(newline))); err != nil {
		return nil, err
	}
	return strings.Join(lines, newline), nil
}

func wrapLine(line string, width int, breakLong bool) []string {
	var lines []string
	current := ""
	for word := range strings.FieldsSeq(line) {
		if current != "" && utf8.RuneCountInString(current)+1+utf8.RuneCountInString(word) <= width {
			current += " " + word
			continue
		}
		if current != "" {
			lines = append(lines, current)
		}
		current = word
		for r := []rune(current); breakLong && len(r) > width; r = []rune(current) {
			lines = append(lines, string(r[:width]))
			current = string(r[width:])
		}
	}
	return append(lines, current)
}

var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;")

func textEscape(st *state, s string, _ parameters) (any, error) {
	escaped := htmlEscapes.Replace(s)
	return escaped, st.charge(len(escaped))
}

var htmlTag = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)

func textStripTags(_ *state, s string, _ parameters) (any, error) {
	return html.UnescapeString(strings.Join(strings.Fields(htmlTag.ReplaceAllString(s, "")), " ")), nil
}

func filterFormat(st *state, v any, a arguments) (any, error) {
	if len(a.positional) > 0 && len(a.named) > 0 {
		return nil, fail("values are given either by place or by name")
	}
	s, err := st.text(v)
	if err != nil {
		return nil, err
	}
	return st.percentWith(s, a)
}

// filterURLEncode quotes a string for a path, or pairs for a query.
func filterURLEncode(st *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	pairs, isList := sequence(v)
	if m, ok := v.(*Map); ok {
		pairs, isList = pairsOf(m), true
	}
	if !isList {
		s, err := st.text(v)
		if err != nil {
			return nil, err
		}
		quoted := strings.ReplaceAll(strings.ReplaceAll(url.QueryEscape(s), "+", "%20"), "%2F", "/")
		return quoted, st.charge(len(quoted))
	}
	var parts []any
	for _, pair := range pairs {
		kv, err := st.forced(pair)
		if err != nil {
			return nil, err
		}
		if len(kv) != 2 {
			return nil, fail("pairs are needed, not %d values", len(kv))
		}
		key, err := st.text(kv[0])
		if err != nil {
			return nil, err
		}
		value, err := st.text(kv[1])
		if err != nil {
			return nil, err
		}
		parts = append(parts, url.QueryEscape(key)+"="+url.QueryEscape(value))
	}
	return st.join(parts, "&", true)
}

package test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// expression is the names that a PromQL expression uses.
type expression struct {
	metrics map[string][]string // with the labels that select their series
	groups  []string            // labels of by, on, group_left and the like
}

// Words of PromQL that are no metric though no parenthesis follows them at once.
var (
	promAggregations = []string{
		"sum", "min", "max", "avg", "group", "stddev", "stdvar", "count", "count_values",
		"bottomk", "topk", "quantile", "limitk", "limit_ratio",
	}
	promLabelLists = []string{"by", "without", "on", "ignoring", "group_left", "group_right"}
	promOperators  = []string{"and", "or", "unless", "atan2", "bool", "offset", "inf", "nan"}
)

// readExpression finds the names in an expression. It does not check the grammar:
// it only knows enough of it to tell a metric from everything else.
func readExpression(text string) expression {
	r := promReader{text: text, found: expression{metrics: map[string][]string{}}}
	for r.at < len(r.text) {
		r.step()
	}
	slices.Sort(r.found.groups)
	r.found.groups = slices.Compact(r.found.groups)
	return r.found
}

type promReader struct {
	text  string
	at    int
	last  string // the metric whose braces may follow
	found expression
}

func (r *promReader) step() {
	switch c := r.text[r.at]; {
	case c == '"' || c == '\'' || c == '`':
		r.skipString(c)
	case c == '#':
		r.skipPast("\n")
	case c == '[':
		r.skipPast("]")
	case c == '{':
		r.at++
		r.matchers()
	case c == '$': // a variable of Grafana
		r.at++
		r.word(isNameByte)
	case c >= '0' && c <= '9': // also a duration
		r.word(func(c byte) bool { return isNameByte(c) || c == '.' })
	case isNameByte(c):
		r.name(r.word(isNameByte))
		return
	default:
		r.at++
	}
	r.last = ""
}

func (r *promReader) name(word string) {
	r.last = ""
	lower := strings.ToLower(word)
	switch {
	case slices.Contains(promLabelLists, lower) && r.next() == '(':
		list := r.text[r.at:]
		if end := strings.IndexByte(list, ')'); end >= 0 {
			list = list[:end]
		}
		r.at += len(list)
		r.found.groups = append(r.found.groups, strings.FieldsFunc(list, func(c rune) bool { return !isNameByte(byte(c)) })...)
	case slices.Contains(promAggregations, lower), slices.Contains(promOperators, lower), r.next() == '(':
	default:
		r.last = word
		r.uses(word)
	}
}

func (r *promReader) uses(metric string, labels ...string) {
	r.found.metrics[metric] = append(r.found.metrics[metric], labels...)
}

// matchers reads {label="value", …} after a metric.
func (r *promReader) matchers() {
	metric := r.last
	for r.at < len(r.text) && r.text[r.at] != '}' {
		switch c := r.text[r.at]; {
		case c == '"' || c == '\'' || c == '`':
			r.skipString(c)
		case isNameByte(c):
			r.uses(metric, r.word(isNameByte))
		default:
			r.at++
		}
	}
	r.at++
}

// next is the next byte that is not blank.
func (r *promReader) next() byte {
	for i := r.at; i < len(r.text); i++ {
		if !strings.ContainsRune(" \t\n", rune(r.text[i])) {
			return r.text[i]
		}
	}
	return 0
}

func (r *promReader) word(is func(byte) bool) string {
	start := r.at
	for r.at < len(r.text) && is(r.text[r.at]) {
		r.at++
	}
	return r.text[start:r.at]
}

func (r *promReader) skipString(quote byte) {
	for r.at++; r.at < len(r.text) && r.text[r.at] != quote; r.at++ {
		if r.text[r.at] == '\\' && quote != '`' {
			r.at++
		}
	}
	r.at++
}

func (r *promReader) skipPast(end string) {
	if i := strings.Index(r.text[r.at:], end); i >= 0 {
		r.at += i + len(end)
		return
	}
	r.at = len(r.text)
}

func isNameByte(c byte) bool {
	return c == '_' || c == ':' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func TestReadExpression(t *testing.T) {
	for _, test := range []struct {
		text    string
		metrics map[string][]string
		groups  []string
	}{
		{`up`, map[string][]string{"up": nil}, nil},
		{`up == 0 or absent(up{job="x"})`, map[string][]string{"up": {"job"}}, nil},
		{`sum by (le, job) (rate(a_bucket{m="S", d=~"$d"}[5m]))`, map[string][]string{"a_bucket": {"m", "d"}}, []string{"job", "le"}},
		{`sum(rate(a[$__rate_interval])) by (x)`, map[string][]string{"a": nil}, []string{"x"}},
		{`topk(15, a / on (x) group_left (y) b)`, map[string][]string{"a": nil, "b": nil}, []string{"x", "y"}},
		{`histogram_quantile(0.99, a) > bool 1e3`, map[string][]string{"a": nil}, nil},
		{`a{x="b{c}", y='d"}'} offset 5m`, map[string][]string{"a": {"x", "y"}}, nil},
		{"a # b\n + c", map[string][]string{"a": nil, "c": nil}, nil},
		{`job:a:rate5m{e="\"x"} unless ignoring(z) b`, map[string][]string{"job:a:rate5m": {"e"}, "b": nil}, []string{"z"}},
		{`sum (a) and count by(x)(b)`, map[string][]string{"a": nil, "b": nil}, []string{"x"}},
		{`max_over_time(a[1h:5m]) * 60`, map[string][]string{"a": nil}, nil},
		{`{__name__="a"}`, map[string][]string{"": {"__name__"}}, nil},
	} {
		got := readExpression(test.text)
		want := expression{metrics: test.metrics, groups: test.groups}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", test.text, got, want)
		}
	}
}

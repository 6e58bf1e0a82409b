package jinja_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/inventory/internal/jinja"
)

func TestReferences(t *testing.T) {
	cases := []struct{ template, want string }{
		{"{{ a.b.c }}", "a.b.c 1:4"},
		{"x\n é {{ a['b'][0].c }} {{ a.0 }}", "a.b.0.c 2:7, a.0 2:25"},
		{"{{ a[b.c].d }}", "a 1:4, b.c 1:6"},
		{"{{ a.b|default(c) }} {{ d is defined }} {{ e|upper }}", "a.b? 1:4, c 1:16, d? 1:25, e 1:44"},
		{"{% for n in nodes %}{{ n.name }}{{ loop.index }}{{ x }}{% endfor %}{{ n }}", "nodes 1:13, x 1:52, n 1:71"},
		{"{% set v = a.b %}{{ v.c }}{{ w }}", "a.b 1:12, w 1:30"},
		{"{% macro f(x, y=z) %}{{ x }}{{ q }}{% endmacro %}{{ f(a) }}", "z 1:17, q 1:32, a 1:55"},
		{"{{ a.b.items() }}{{ range(n) }}{{ 'x'.join(l) }}", "a.b 1:4, n 1:27, l 1:44"},
		{"{% if a and not b or c == d %}{{ e ~ f }}{% endif %}", "a 1:7, b 1:17, c 1:22, d 1:27, e 1:34, f 1:38"},
		{"{{ [a, (b, c), {'k': d}] }}{{ e[f:g] }}", "a 1:5, b 1:9, c 1:12, d 1:22, e 1:31, f 1:33, g 1:35"},
	}
	for _, c := range cases {
		refs, err := jinja.References(c.template)
		if err != nil {
			t.Errorf("%s: %v", c.template, err)
			continue
		}
		var got []string
		for _, r := range refs {
			path := strings.ReplaceAll(strings.Trim(fmt.Sprint(r.Path), "[]"), " ", ".")
			if r.Optional {
				path += "?"
			}
			got = append(got, fmt.Sprintf("%s %d:%d", path, r.Line, r.Column))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.template, s, c.want)
		}
	}
}

package jinja_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stoa/inventory/internal/jinja"
)

func nothing(string) (any, bool, error) { return nil, false, nil }

func TestOwnFilters(t *testing.T) {
	cases := []struct{ template, want string }{
		{"{{ '10.0.0.1'|isipv4 }} {{ '10.0.0.0/8'|isipv4 }} {{ '10.0.0.1/8'|isipv4 }} {{ '::1'|isipv4 }} {{ 'x'|isipv4 }}", "True True False False False"},
		{"{{ '::1'|isipv6 }} {{ 'fd00::/8'|isipv6 }} {{ 'fd00::1/8'|isipv6 }} {{ '1.2.3.4'|isipv6 }}", "True True False False"},
		{"{{ 'v1.34.2'|minorversion }} {{ '1.34.2'|minorversion }} {{ 'v1.34.2'|majorversion }}", "v1.34 v1.34 v1"},
		{"{{ 'v1.34.2'|versionkey }} {{ 'v1.34.2'|versionkey >= 'v1.9.10'|versionkey }} {{ ('v1.34.2'|versionkey)[1] }}", "(1, 34, 2) True 34"},
		{"{{ 'hé'|b64encode }} {{ 'aMOp'|b64decode }}", "aMOp hé"},
		{"{{ 'a b/c&é~'|url_quote }}", "a+b%2Fc%26%C3%A9~"},
		{"{{ 'Yes'|is_true }} {{ true|is_true }} {{ 1|is_true }} {{ 'off'|is_true }} {{ 'maybe'|is_true }} {{ nope|is_true }}", "True True True False False False"},
		{"{{ 'no'|is_false }} {{ false|is_false }} {{ 0|is_false }} {{ 'on'|is_false }} {{ 'maybe'|is_false }}", "True True True False False"},
		{`{{ {'b': [1, none, true, 1.0], 'a': 'é<"'}|tojson }}`, `{"b": [1, null, true, 1.0], "a": "\u00e9<\""}`},
		{"{{ {'b': [1], 'a': {}}|tojson(2) }}", "{\n  \"b\": [\n    1\n  ],\n  \"a\": {}\n}"},
		{"{{ {'b': [1, 'yes', {'c': none}], 'a': {}, 'd': []}|toyaml }}", "a: {}\nb:\n- 1\n- \"yes\"\n- c: null\nd: []\n"},
		{"{{ node is has_role('worker') }} {{ node is has_role 'balancer' }} {{ node is not has_role('balancer') }}", "True False True"},
		{"{{ node is has_roles(['balancer', 'worker']) }} {{ node is has_roles(['balancer']) }} {{ [node]|select('has_role', 'worker')|list|length }}", "True False 1"},
	}
	node := &jinja.Map{}
	node.Set("roles", []any{"control-plane", "worker"})
	lookup := func(name string) (any, bool, error) { return node, name == "node", nil }
	for _, c := range cases {
		got, err := jinja.Render(t.Context(), c.template, lookup)
		if err != nil || got != c.want {
			t.Errorf("%s:\n got %q, %v\nwant %q", c.template, got, err, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	cases := []struct {
		template     string
		line, column int
		want         string
	}{
		{"{{ nope.x }}", 1, 4, `nope is undefined, so it has no member "x"`},
		{"ééé\nü {{ a.b.c }}", 2, 6, `a is undefined, so it has no member "b"`},
		{"{{ m.x.y }}", 1, 4, `m.x is undefined, so it has no member "y"`},
		{"{{ m['x'].y }}", 1, 4, `m['x'] is undefined, so it has no member "y"`},
		{"{{ nope() }}", 1, 4, "nope is undefined"},
		{"{{ nope + 1 }}", 1, 4, "nope is undefined"},
		{"{{ nope < 1 }}", 1, 4, "nope is undefined"},
		{"{{ 'a' + 1 }}", 1, 4, "a string + an integer cannot be computed: join text with ~"},
		{"{{ 1 < 'a' }}", 1, 4, "an integer and a string have no order"},
		{"{{ 1 // 0 }}", 1, 4, "division by zero"},
		{"{{ 2 ** 64 }}", 1, 4, "the number is too large: integers have 64 bits"},
		{"{{ 9223372036854775807 + 1 }}", 1, 4, "the number is too large: integers have 64 bits"},
		{"{{ 1|uper }}", 1, 6, `there is no filter "uper": did you mean "upper"?`},
		{"{{ 1 is strng }}", 1, 9, `there is no test "strng": did you mean "string"?`},
		{"{% fro x in y %}", 1, 4, `there is no tag "fro": did you mean "for"?`},
		{"{{ a", 1, 1, "the tag is not closed: }} is missing"},
		{"x {% if a %}y", 1, 13, "if is not closed: {% endif %} is missing"},
		{"{% endif %}", 1, 4, "endif does not belong to any open tag here"},
		{"{{ 'abc }}", 1, 4, "the string is not closed: ' is missing"},
		{"{# abc", 1, 1, "the comment is not closed: #} is missing"},
		{"{% raw %}x", 1, 1, "raw is not closed: {% endraw %} is missing"},
		{"{{ }}", 1, 4, "an expression is expected here, not the end of the tag"},
		{"{{ a b }}", 1, 6, `the tag should end here, not "b"`},
		{"{{ (1] }}", 1, 6, `"]" is not expected here: ')' is open`},
		{"{% include 'x' %}", 1, 4, "include is refused: a template cannot open files"},
		{"{% import 'x' as y %}", 1, 4, "import is refused: a template cannot open files"},
		{"{% from 'x' import y %}", 1, 4, "from is refused: a template cannot open files"},
		{"{% extends 'x' %}", 1, 4, "extends is refused: a template cannot open files"},
		{"{% for i in 5 %}{% endfor %}", 1, 13, "an integer is no list: it cannot be walked"},
		{"{% for a, b in [[1]] %}{% endfor %}", 1, 8, "1 values cannot be unpacked into 2 names"},
		{"{{ 1|isipv4 }}", 1, 4, "isipv4: a string is needed, not an integer"},
		{"{{ nope|b64encode }}", 1, 4, "b64encode: nope is undefined"},
		{"{{ 'a'|url_quote('x') }}", 1, 4, "url_quote: no arguments are allowed here"},
		{"{{ 'v1.2'|versionkey }}", 1, 4, `versionkey: "v1.2" is no version like v1.2.3`},
		{"{{ '!'|b64decode }}", 1, 4, "b64decode: the string is no base64"},
		{"{{ 1 is has_role('x') }}", 1, 4, "is has_role: a node is needed, not an integer"},
		{"{{ m is has_role('x') }}", 1, 4, "is has_role: the node has no roles"},
		{"{{ m.list.append(1) }}", 1, 4, "m.list.append: a value of the document cannot be changed: copy it first, by | list or copy()"},
		{"{{ m.update({}) }}", 1, 4, "m.update: a value of the document cannot be changed: copy it first, by | list or copy()"},
		{"{% set m.x = 1 %}", 1, 8, "m is no namespace: only its members can be set"},
		{"{{ 5() }}", 1, 4, "5 is an integer: it cannot be called"},
		{"{{ 'x'.upper(1) }}", 1, 4, "'x'.upper: no arguments are allowed here"},
		{"{{ [[1]]|unique|list }}", 1, 4, "unique: a list cannot be a key"},
	}
	m := &jinja.Map{}
	m.Set("list", []any{int64(1)})
	lookup := func(name string) (any, bool, error) { return m, name == "m", nil }
	for _, c := range cases {
		_, err := jinja.Render(t.Context(), c.template, lookup)
		e, ok := errors.AsType[*jinja.Error](err)
		if !ok {
			t.Errorf("%s: got %v, want an Error", c.template, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || e.Message != c.want {
			t.Errorf("%s:\n got %d:%d %s\nwant %d:%d %s", c.template, e.Line, e.Column, e.Message, c.line, c.column, c.want)
		}
	}
}

func TestErrorsOfTheDocumentComeThrough(t *testing.T) {
	cause := errors.New("a cycle: x → y → x")
	failing := jinja.Lazy(func() (any, error) { return nil, cause })
	m := &jinja.Map{}
	m.Set("x", failing)
	lookup := func(name string) (any, bool, error) {
		switch name {
		case "bad":
			return nil, false, cause
		case "lazy":
			return failing, true, nil
		}
		return m, name == "m", nil
	}
	for _, source := range []string{
		"{{ bad }}", "{{ lazy }}", "{{ m.x }}", "{{ m['x'] }}", "{{ m }}", "{{ bad|default(1) }}", "{{ m.x is defined }}",
		"{{ [m]|map(attribute='x')|list }}", "{{ m|tojson }}", "{{ m|toyaml }}", "{{ m.values()|join }}", "{% for v in m.values() %}{{ v }}{% endfor %}",
		"{{ m == {'x': 1} }}", "{{ '%(x)s' % m }}", "{{ m.get('x') }}", "{{ [1]|map('default', lazy)|list }}",
	} {
		_, err := jinja.Render(t.Context(), source, lookup)
		if !errors.Is(err, cause) {
			t.Errorf("%s: got %v, want it to wrap %q", source, err, cause)
		}
	}
}

func TestOnlyWhatIsUsedIsComputed(t *testing.T) {
	m := &jinja.Map{}
	m.Set("good", jinja.Lazy(func() (any, error) { return "fine", nil }))
	m.Set("bad", jinja.Lazy(func() (any, error) { return nil, errors.New("must not be computed") }))
	lookup := func(string) (any, bool, error) { return m, true, nil }
	for _, source := range []string{
		"{{ m.good }}", "{{ m.good if m.bad2 is undefined }}", "{{ m.good or m.bad }}",
		"{% if m.good %}{{ m.good }}{% else %}{{ m.bad }}{% endif %}", "{{ [m][0].good }}", "{{ 'fine' if m|length == 2 and 'bad' in m }}",
	} {
		got, err := jinja.Render(t.Context(), source, lookup)
		if err != nil || got != "fine" {
			t.Errorf("%s: got %q, %v", source, got, err)
		}
	}
}

func TestBudget(t *testing.T) {
	deep := strings.Repeat("(", 100_000)
	cases := []struct{ name, template string }{
		{"long range", "{{ range(10**9)|list }}"},
		{"long string", "{{ 'x' * 10**9 }}"},
		{"long list", "{{ [0] * 10**9 }}"},
		{"nested loops", "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}"},
		{"doubling", "{% set ns = namespace(s='xxxxxxxx') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}"},
		{"doubling lists", "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}"},
		{"endless macro", "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"},
		{"list in itself", "{% set l = [] %}{% set _ = l.append(l) %}{{ l }}"},
		{"list in itself as JSON", "{% set l = [] %}{% set _ = l.append(l) %}{{ l|tojson }}"},
		{"list equal to itself", "{% set l = [] %}{% set _ = l.append(l) %}{% set m = [] %}{% set _ = m.append(m) %}{{ l == m }}"},
		{"wide lists compared", "{% set ns = namespace(l=[1], m=[1]) %}{% for i in range(99) %}{% set ns.l = [ns.l, ns.l] %}{% set ns.m = [ns.m, ns.m] %}{% endfor %}{{ ns.l == ns.m }}"},
		{"wide tuple as a key", "{% set ns = namespace(t=(1,)) %}{% for i in range(99) %}{% set ns.t = (ns.t, ns.t) %}{% endfor %}{{ {ns.t: 1} }}"},
		{"wide list", "{% set ns = namespace(l=[1]) %}{% for i in range(99) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}"},
		{"wide format", "{{ '%999999999d' % 1 }}"},
		{"wide field", "{{ '{:999999999}'.format(1) }}"},
		{"wide center", "{{ 'x'|center(10**12) }}"},
		{"wide ljust", "{{ 'x'.ljust(10**12) }}"},
		{"wide indent", "{{ 'a\nb'|indent(10**12) }}"},
		{"many slices", "{{ [1]|slice(10**12)|list }}"},
		{"large batch", "{{ [1]|batch(10**12, 0)|list }}"},
		{"long replace", "{{ ('x' * 10**6).replace('x', 'y' * 10**6) }}"},
		{"deep brackets", "{{ " + deep + " }}"},
		{"deep signs", "{{ " + strings.Repeat("-", 100_000) + "1 }}"},
		{"deep lists", "{{ " + strings.Repeat("[", 100_000) + " }}"},
		{"long chain", "{{ 1" + strings.Repeat("+1", 100_000) + " }}"},
		{"long path", "{{ a" + strings.Repeat(".a", 100_000) + " }}"},
		{"deep blocks", strings.Repeat("{% if 1 %}", 100_000)},
		{"long join", "{{ range(99999)|join('x' * 10**6) }}"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			out, err := jinja.Render(t.Context(), c.template, nothing)
			if err == nil {
				t.Errorf("got %d bytes, want an error", len(out))
			}
			if took := time.Since(start); took > time.Minute {
				t.Errorf("took %s: want that it gives up, also on a busy machine", took)
			}
		})
	}
}

func TestBudgetCanBeSet(t *testing.T) {
	const source = "{% for i in range(50) %}xx{% endfor %}"
	for _, b := range []jinja.Budget{{Steps: 20}, {Bytes: 20}} {
		if _, err := jinja.Render(t.Context(), source, nothing, jinja.WithBudget(b)); err == nil {
			t.Errorf("%+v: got no error", b)
		}
	}
	if _, err := jinja.Render(t.Context(), source, nothing, jinja.WithBudget(jinja.Budget{Steps: 1000})); err != nil {
		t.Error(err)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := jinja.Render(ctx, "{% for i in range(9999) %}{% endfor %}", nothing)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestPanicOfTheCallerIsAnError(t *testing.T) {
	_, err := jinja.Render(t.Context(), "{{ x }}", func(string) (any, bool, error) { panic("boom") })
	if err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("got %v", err)
	}
}

func TestDocumentStaysAsItWas(t *testing.T) {
	list := append(make([]any, 0, 8), int64(1), int64(2))
	lookup := func(string) (any, bool, error) { return list, true, nil }
	const source = "{% set a = l|list %}{% set _ = a.append(3) %}{% set b = l[:] %}{% set _ = b.append(4) %}{% set c = l + [] %}{% set _ = c.append(5) %}{{ a }}{{ b }}{{ c }}{{ l }}"
	got, err := jinja.Render(t.Context(), source, lookup)
	if want := "[1, 2, 3][1, 2, 4][1, 2, 5][1, 2]"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if list[:3][2] != nil {
		t.Errorf("the list of the document was written to: %v", list[:3])
	}
}

func TestMap(t *testing.T) {
	m := &jinja.Map{}
	for i := range 30 {
		m.Set(fmt.Sprint("k", i), int64(i))
	}
	m.Set("k3", "three")
	if err := m.SetKey(int64(7), "seven"); err != nil {
		t.Fatal(err)
	}
	if err := m.SetKey([]any{}, 1); err == nil {
		t.Error("a list was taken as a key")
	}
	if v, ok := m.Get("k3"); !ok || v != "three" || m.Len() != 31 || m.Keys()[30] != "7" {
		t.Errorf("got %v, %v, %d, %v", v, ok, m.Len(), m.Keys())
	}
	got, err := jinja.Render(t.Context(), "{{ m[7] }} {{ m.k29 }} {{ m[true] }}|{{ m|length }}", func(string) (any, bool, error) { return m, true, nil })
	if want := "seven 29 |31"; err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

func TestIsTemplate(t *testing.T) {
	for s, want := range map[string]bool{"{{ a }}": true, "x{% if %}": true, "{# c #}": false, "{ {": false, "": false} {
		if got := jinja.IsTemplate(s); got != want {
			t.Errorf("%q: got %v, want %v", s, got, want)
		}
	}
}

func ExampleRender() {
	values := map[string]any{"version": "v1.34.2", "ports": []any{int64(80), int64(443)}}
	text, err := jinja.Render(context.Background(), "{{ version | minorversion }} {{ ports }}", func(name string) (any, bool, error) {
		v, ok := values[name]
		return v, ok, nil
	})
	fmt.Println(text, err)
	// Output: v1.34 [80, 443] <nil>
}

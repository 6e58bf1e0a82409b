package jinja_test

import (
	"testing"

	"stoa/inventory/internal/jinja"
)

var benchmarks = []struct{ name, template string }{
	{"path", "{{ a.b.c }}"},
	{"text", "https://{{ a.b.c }}:6443/{{ nums[0] }}"},
	{"filter", "{{ a.b.c | default('x') | upper }}"},
	{"condition", "{% if nums|length > 3 %}{{ a.b.c }}{% else %}no{% endif %}"},
	{"loop", "{% for n in nodes %}{{ n.name }}={{ n.size }}{{ ',' if not loop.last }}{% endfor %}"},
	{"select", "{{ nodes | selectattr('kind', 'eq', 'control') | map(attribute='name') | join(',') }}"},
}

func BenchmarkRender(b *testing.B) {
	lookup := fromFile(b, "testdata/context.json")
	for _, bench := range benchmarks {
		b.Run(bench.name, func(b *testing.B) {
			t, err := jinja.Parse(bench.template)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := t.Render(b.Context(), lookup); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, bench := range benchmarks {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := jinja.Parse(bench.template); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

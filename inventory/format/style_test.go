package format_test

import (
	"strings"
	"testing"

	"stoa/inventory/format"
)

func TestStyle(t *testing.T) {
	long := strings.Repeat("a-long-word ", 9)
	for _, test := range []struct{ name, text, want string }{
		{"byte order mark, CRLF, no final newline", "\ufeffa: 1\r\nb: |\r\n  x\r\n  y", "a: 1\n\nb: |-\n  x\n  y\n"},
		{"document markers", "--- # c\na: 1\n...\n# end\n", "# c\na: 1\n\n# end\n"},
		{"directive", "%YAML 1.2\n---\na: 1\n", "%YAML 1.2\n---\na: 1\n"},
		{"list below its key", "a:\n- 1\n-   - 2\n    - 3\n", "a:\n  - 1\n  - - 2\n    - 3\n"},
		{"short brackets over lines", "a: [1,\n  2]\n", "a: [1, 2]\n"},
		{"long brackets", "a: {b: [" + long + ", " + long + "]}\n", "a:\n  b:\n    - " + strings.TrimSpace(long) + "\n    - " + strings.TrimSpace(long) + "\n"},
		{"comment in brackets", "a: [1, # one\n 2]\n", "a:\n  - 1 # one\n  - 2\n"},
		{"comment in empty brackets", "a: [ # none\n ]\n", "a: [] # none\n"},
		{"comment behind a dash", "a:\n  - # first\n    b: 1\n", "a:\n  # first\n  - b: 1\n"},
		{"comment behind a block header", "a: | # c\n  x\n", "a: | # c\n  x\n"},
		{"comment without a blank before", "a: \"x\"#c\n", "a: \"x\" #c\n"},
		{"comments in a column", "a:\n  b: 1 # x\n  long: 2 # y\n", "a:\n  b: 1    # x\n  long: 2 # y\n"},
		{"foot and head", "b: 1\n# foot of b\n\n# head of values\nvalues: {}\n", "# head of values\nvalues: {}\n\nb: 1\n# foot of b\n"},
		{"modeline", "# vim: ts=2\nvalues: {}\ncluster_name: x\n", "# vim: ts=2\n\ncluster_name: x\n\nvalues: {}\n"},
		{"commented item", "nodes:\n- a\n# - b\n#   c\nvalues: {}\n", "nodes:\n  - a\n  # - b\n  #   c\n\nvalues: {}\n"},
		{"kept line breaks", "values:\n  a: |+\n    x\n\n\nz: 1\n", "values:\n  a: |+\n    x\n\n\nz: 1\n"},
		{"indent indicator", "a: |1\n   x\n  y\n", "a: |2\n    x\n   y\n"},
		{"anchor before its alias", "values: &v {a: 1}\ncluster_name: *v\n", "values: &v {a: 1}\n\ncluster_name: *v\n"},
		{"merge key first", "nodes:\n  - roles: [worker]\n    <<: &x {name: a}\n", "nodes:\n  - <<: &x {name: a}\n    roles: [worker]\n"},
		{"plugins keep their order", "plugins: {zeta: {}, calico: {}}\n", "plugins: {zeta: {}, calico: {}}\n"},
		{"steps keep their order", "plugins:\n  x:\n    installation:\n      procedures: [{expect: {}, config: y}]\n", "plugins:\n  x:\n    installation:\n      procedures: [{expect: {}, config: y}]\n"},
		{"escaped line end", "a: \"x\\  \n    y\\\n   z\"\n", "a: \"x\\ \n  y\\\n  z\"\n"},
		{"brackets as the root", "{values: {}, cluster_name: x}", "cluster_name: x\n\nvalues: {}\n"},
		{"explicit key", "? |\n  text\n: 1\n", "? |\n  text\n: 1\n"},
		{"empty map", "# none\n{}", "# none\n{}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := tidy(t, "x.yaml", []byte(test.text)); string(got) != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

func TestUnreadable(t *testing.T) {
	if _, faults, err := format.Source("x.yaml", []byte("a: [")); len(faults) != 1 || err != nil || faults[0].File != "x.yaml" {
		t.Errorf("got %v, %v, want a fault", faults, err)
	}
}

// A line separator is a line break to YAML, and would be one no more.
func TestRefused(t *testing.T) {
	out, faults, err := format.Source("x.yaml", []byte("a: 'x\u2028y'\n"))
	if out != nil || len(faults) > 0 || err == nil || !strings.Contains(err.Error(), "x.yaml: left as it is: line 1:") {
		t.Errorf("got %q, %v, %v, want a refusal", out, faults, err)
	}
}

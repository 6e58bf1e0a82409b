package diff_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/inventory"
	"stoa/inventory/diff"
)

func resolve(t *testing.T, name, text string) *inventory.Inventory {
	t.Helper()
	doc, faults := inventory.Load(name, []byte(text))
	if doc == nil {
		t.Fatal(faults)
	}
	inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{NoFiles: true})
	if inv == nil {
		t.Fatal(faults)
	}
	return inv
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// written is a difference in both forms.
func written(t *testing.T, d *diff.Difference) (text, values string) {
	t.Helper()
	var b bytes.Buffer
	if err := d.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	j, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), string(j) + "\n"
}

// TestGolden compares the documents of the room with changed ones. Their files
// are made by hand here: sysctl.conf of each node.
func TestGolden(t *testing.T) {
	for _, name := range []string{"ha", "gateways"} {
		t.Run(name, func(t *testing.T) {
			old := resolve(t, "old.yaml", read(t, filepath.Join("..", "testdata", name, "cluster.yaml")))
			new := resolve(t, "new.yaml", read(t, filepath.Join("testdata", name, "new.yaml")))
			d := diff.Compare(diff.Side{Inventory: old, Files: files(t, old)}, diff.Side{Inventory: new, Files: files(t, new)})
			text, values := written(t, d)
			goldentest.Check(t, filepath.Join("testdata", name+"/diff.txt.golden"), text+d.Summary()+"\n")
			goldentest.Check(t, filepath.Join("testdata", name+"/diff.json.golden"), values)
			for _, secret := range []string{"hidden", `"one"`} {
				if strings.Contains(text+values, secret) {
					t.Errorf("the secret %s is shown", secret)
				}
			}
		})
	}
}

func files(t *testing.T, inv *inventory.Inventory) (list []diff.File) {
	t.Helper()
	for _, n := range inv.Nodes {
		var b bytes.Buffer
		if err := inventory.WriteYAML(&b, inv.View(n).Get("sysctl")); err != nil {
			t.Fatal(err)
		}
		list = append(list, diff.File{Node: n.Name, Path: "/etc/sysctl.conf", Content: b.Bytes()})
	}
	return list
}

const base = `cluster_name: k.example
nodes:
  - {name: a, address: 203.0.113.1, internal_address: 10.0.0.1, roles: [control-plane, worker], keyfile: k}
  - {name: b, internal_address: 10.0.0.2, roles: [worker], keyfile: k}
services:
  sysctl: {vm.swappiness: 1, vm.dirty_ratio: 10}
`

// TestWhatDoesNotMatter: the same meaning in another form is no difference.
func TestWhatDoesNotMatter(t *testing.T) {
	for name, text := range map[string]string{
		"itself":   base,
		"comments": "# new\n" + base + "# end\n",
		"order": `services: {sysctl: {vm.dirty_ratio: 10, vm.swappiness: 1}}
nodes:
  - {roles: [worker], name: b, keyfile: k, internal_address: 10.0.0.2}
  - {roles: [worker, control-plane], name: a, address: 203.0.113.1, internal_address: 10.0.0.1, keyfile: k}
cluster_name: k.example
`,
		"defaults": base + "patches: []\nglobals: {timeout_download: 60}\n",
		"template": strings.Replace(base, "vm.swappiness: 1", `vm.swappiness: "{{ 2 - 1 }}"`, 1),
		"spelling": strings.Replace(base, "vm.swappiness: 1", `vm.swappiness: 0x1`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			d := diff.Compare(diff.Side{Inventory: resolve(t, "old.yaml", base)}, diff.Side{Inventory: resolve(t, "new.yaml", text)})
			if text, _ := written(t, d); !d.Empty() || text != "" {
				t.Errorf("got\n%s\nwant nothing", text)
			}
		})
	}
}

// TestReorderedLinesAreToldButNoChange: a file whose lines change places is named,
// and nothing counts as changed.
func TestReorderedLinesAreToldButNoChange(t *testing.T) {
	side := func(content string) diff.Side {
		return diff.Side{Inventory: resolve(t, "c.yaml", base), Files: []diff.File{{Node: "a", Path: "/x", Content: []byte(content)}}}
	}
	d := diff.Compare(side("[\n1,\n2\n]\n"), side("[\n2,\n1\n]\n"))
	if text, _ := written(t, d); !d.Empty() || !strings.Contains(text, "/x, lines in another order (a)") {
		t.Errorf("empty %v:\n%s", d.Empty(), text)
	}
	d = diff.Compare(side("1\n2\n"), side("1\n3\n"))
	if d.Empty() || d.Of("b").Summary() != "nothing changes" || d.Of("a").Summary() != "1 node changed, 1 file changed" {
		t.Errorf("got %q, of a %q, of b %q", d.Summary(), d.Of("a").Summary(), d.Of("b").Summary())
	}
}

func TestControlCharactersStayOut(t *testing.T) {
	d := diff.Compare(diff.Side{Inventory: resolve(t, "old.yaml", base)},
		diff.Side{Inventory: resolve(t, "new.yaml", base+"values: {\"a\\x9b2J\": \"\\x1b[2J\\x9b\"}\n")})
	if text, _ := written(t, d); strings.ContainsAny(text, "\x1b\u009b") || !strings.Contains(text, "values") {
		t.Errorf("got %q", text)
	}
}

// TestSecretsAreComparedNotShown: by their names, in addresses and in whole texts.
func TestSecretsAreComparedNotShown(t *testing.T) {
	document := func(secret string) string {
		return base + `values: {pass: {db_password: ` + secret + `, list: {apiToken: [` + secret + `]}}, url: "https://ops:` + secret + `@example.com/"}
plugins: {nginx-ingress-controller: {controller: {ssl: {default-certificate: {data: {cert: c, key: ` + secret + `}}}}}}
`
	}
	d := diff.Compare(diff.Side{Inventory: resolve(t, "old.yaml", document("sesame"))}, diff.Side{Inventory: resolve(t, "new.yaml", document("abracadabra"))})
	text, values := written(t, d)
	if strings.Contains(text+values, "sesame") || strings.Contains(text+values, "abracadabra") {
		t.Errorf("a secret is shown:\n%s\n%s", text, values)
	}
	if len(d.Cluster) != 4 || strings.Count(text, "another secret") != 4 {
		t.Errorf("got\n%s\nwant 4 other secrets", text)
	}
}

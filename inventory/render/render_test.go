package render_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/goldentest"
	"stoa/inventory"
	"stoa/inventory/render"
)

// documents is what tests render: the room's three, and one with all the rest.
var documents = map[string]string{
	"single":   "../testdata/single/cluster.yaml",
	"ha":       "../testdata/ha/cluster.yaml",
	"gateways": "../testdata/gateways/cluster.yaml",
	"rich":     "testdata/rich/cluster.yaml",
}

func TestRender(t *testing.T) {
	t.Parallel()
	for name, file := range documents {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, notes, err := render.Render(read(t, file), render.Options{})
			if err != nil {
				t.Fatal(err)
			}
			goldentest.Check(t, filepath.Join("testdata", name, "files.golden"), together(files, notes))
		})
	}
}

// together is all files in one text; what was there before is only named.
func together(files []render.File, notes []render.Note) []byte {
	var b bytes.Buffer
	seen := make(map[string]string)
	for _, f := range files {
		fmt.Fprintf(&b, "-- %04o %s", f.Mode, f.Name())
		if f.Masked {
			b.WriteString(" masked")
		}
		b.WriteString(" --\n")
		if first := seen[string(f.Content)]; first != "" {
			fmt.Fprintf(&b, "(as %s)\n", first)
			continue
		}
		seen[string(f.Content)] = f.Name()
		b.Write(f.Content)
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "note: %s%s: %s\n", n.Node, n.Path, n.Text)
	}
	return b.Bytes()
}

func read(t testing.TB, file string) *inventory.Inventory {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return resolve(t, string(text))
}

func resolve(t testing.TB, text string) *inventory.Inventory {
	t.Helper()
	doc, faults := inventory.Load("cluster.yaml", []byte(text))
	var inv *inventory.Inventory
	if doc != nil {
		inv, faults = inventory.Resolve(t.Context(), doc, inventory.Options{})
	}
	if inv == nil {
		for _, f := range faults {
			t.Log(f.Line, f.Code, f.Message)
		}
		t.Fatal("the document has faults")
	}
	return inv
}

// one is the file of a name.
func one(t testing.TB, files []render.File, name string) render.File {
	t.Helper()
	for _, f := range files {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("there is no file %s", name)
	return render.File{}
}

func TestRenderOneNode(t *testing.T) {
	t.Parallel()
	inv := read(t, documents["ha"])
	files, _, err := render.Render(inv, render.Options{Node: inv.Node("wk-1")})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if f.Node != "wk-1" {
			t.Errorf("got %s among the files of wk-1", f.Name())
		}
	}
	one(t, files, "wk-1/etc/hosts")
}

// node is a document with one node that is everything, and more members.
func node(name, more string) string {
	return "cluster_name: k.example\nnodes: [{name: " + name + ", address: 10.0.0.9, internal_address: 10.0.0.1, roles: [control-plane, worker], keyfile: k}]\n" + more
}

func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"node that leaves the folder", node("..", ""), "no folder can have this name"},
		{"relative place", node("n1", "services: {packages: {associations: {debian: {containerd: {config_location: etc/x}}}}}"), "not the absolute path of a file"},
		{"two files in one place", node("n1", "services: {packages: {associations: {debian: {containerd: {config_location: /etc//hosts}}}}}"), "/etc/hosts would be written twice"},
		{"registry that leaves the folder", node("n1", "services: {cri: {containerdRegistriesConfig: {../../x: {server: 'https://x'}}}}"), "not the name of a registry"},
		{"table that is no TOML", node("n1", "services: {cri: {containerdConfig: {'a]b': {c: 1}}}}"), "containerdConfig: not valid TOML"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := render.Render(resolve(t, test.text), render.Options{})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v want %q", err, test.want)
			}
		})
	}
}

func TestPlacesFollowTheFamily(t *testing.T) {
	t.Parallel()
	text := node("n1", "services: {ntp: {chrony: {servers: [a]}}}")
	doc, _ := inventory.Load("cluster.yaml", []byte(text))
	inv, _ := inventory.Resolve(t.Context(), doc, inventory.Options{OSFamily: "rhel9"})
	files, _, err := render.Render(inv, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	one(t, files, "n1/etc/chrony.conf")
}

func TestOwnTemplateIsNotOpened(t *testing.T) {
	t.Parallel()
	inv := resolve(t, `
cluster_name: k.example
nodes:
  - {name: lb, address: 10.0.0.9, internal_address: 10.0.0.2, roles: [balancer], keyfile: k}
  - {name: n1, internal_address: 10.0.0.1, roles: [control-plane], keyfile: k}
services: {loadbalancer: {haproxy: {config_file: haproxy.j2}}}`)
	files, notes, err := render.Render(inv, render.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []render.Note{{Node: "lb", Path: "/etc/haproxy/haproxy.cfg", Text: "not rendered: it is made of the template haproxy.j2"}}
	if diff := cmp.Diff(want, notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Path, "/etc/haproxy/") {
			t.Errorf("got %s", f.Path)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	for _, n := range []int{3, 100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("cluster_name: k.example\nnode_defaults: {keyfile: k}\nnodes:\n")
			for i := range n {
				role := "worker"
				if i < 3 {
					role = "control-plane"
				}
				fmt.Fprintf(&text, "  - {internal_address: 10.0.%d.%d, roles: [%s]}\n", i/250, i%250+1, role)
			}
			inv := resolve(b, text.String())
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := render.Render(inv, render.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

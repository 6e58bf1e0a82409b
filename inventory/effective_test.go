package inventory_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/goldentest"
	"stoa/inventory"
)

var documents = []string{"single", "ha", "gateways"}

func read(t testing.TB, file string) *inventory.Inventory {
	t.Helper()
	doc, faults := inventory.ReadFile(file)
	if doc == nil {
		t.Fatal(list(faults))
	}
	inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{})
	if inv == nil {
		t.Fatal(list(faults))
	}
	return inv
}

func TestEffectiveDocuments(t *testing.T) {
	for _, name := range documents {
		t.Run(name, func(t *testing.T) {
			inv := read(t, filepath.Join("testdata", name, "cluster.yaml"))
			var b bytes.Buffer
			if err := inventory.WriteYAML(&b, inv.Root); err != nil {
				t.Fatal(err)
			}
			goldentest.Check(t, filepath.Join("testdata", name+"/effective.yaml.golden"), b.Bytes())
			for _, n := range inv.Nodes {
				b.Reset()
				if err := inventory.WriteJSON(&b, inv.View(n)); err != nil {
					t.Fatal(err)
				}
				goldentest.Check(t, filepath.Join("testdata", name+"/"+n.Name+".json.golden"), b.Bytes())
			}
		})
	}
}

// TestEffectiveFedBackGivesItself: what is printed is a document that means the
// same, in both formats. Braces that rendering leaves behind are written raw.
func TestEffectiveFedBackGivesItself(t *testing.T) {
	for _, name := range documents {
		inv := read(t, filepath.Join("testdata", name, "cluster.yaml"))
		for _, format := range []struct {
			file  string
			write func(*bytes.Buffer, *inventory.Value) error
		}{
			{"e.yaml", func(b *bytes.Buffer, v *inventory.Value) error { return inventory.WriteYAML(b, v) }},
			{"e.json", func(b *bytes.Buffer, v *inventory.Value) error { return inventory.WriteJSON(b, v) }},
		} {
			t.Run(name+" "+format.file, func(t *testing.T) { fedBack(t, inv, format.file, format.write) })
		}
	}
}

func fedBack(t *testing.T, inv *inventory.Inventory, file string, write func(*bytes.Buffer, *inventory.Value) error) {
	var first, second bytes.Buffer
	if err := write(&first, inv.Root); err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(first.String(), "{{ .Name }}", "{% raw %}{{ .Name }}{% endraw %}")
	doc, faults := inventory.Load(file, []byte(text))
	if doc == nil {
		t.Fatal(list(faults), text)
	}
	again, faults := inventory.Resolve(t.Context(), doc, inventory.Options{})
	if again == nil {
		t.Fatal(list(faults))
	}
	if err := write(&second, again.Root); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sorted(first.String()), sorted(second.String())); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

// sorted forgets the order of members, which follows the document.
func sorted(text string) []string {
	lines := strings.Split(strings.ReplaceAll(text, ",\n", "\n"), "\n")
	counts := make(map[string]int)
	for _, l := range lines {
		counts[strings.TrimLeft(l, " -")]++
	}
	var out []string
	for l, n := range counts {
		out = append(out, strings.Repeat("*", n)+l)
	}
	slices.Sort(out)
	return out
}

func TestExplain(t *testing.T) {
	inv := read(t, "testdata/ha/cluster.yaml")
	var b bytes.Buffer
	for _, c := range []struct{ path, node string }{
		{"services.kubeadm.kubernetesVersion", ""}, {"/services/kubeadm/networking/podSubnet", ""}, {"nodes[5].labels.zone", ""},
		{"/nodes/0/keyfile", ""}, {"control_plain", ""}, {"services.sysctl.kernel.pid_max", ""}, {"services.sysctl.kernel.pid_max", "wk-3"},
		{"services.sysctl.vm.swappiness", "wk-2"}, {"boot.timeout", "lb-1"}, {"services.modprobe.debian", ""}, {"plugins.kubernetes-dashboard.install", ""},
		{`services.cri.containerdConfig['plugins."io.containerd.grpc.v1.cri"'].sandbox_image`, ""},
	} {
		found, err := inv.Explain(c.path, inv.Node(c.node))
		if err != nil {
			t.Fatal(err)
		}
		if err := inventory.WriteExplanations(&b, found); err != nil {
			t.Fatal(err)
		}
	}
	goldentest.Check(t, filepath.Join("testdata", "ha/explain.txt.golden"), b.Bytes())
	if _, err := inv.Explain("services.kubadm", nil); err == nil || !strings.Contains(err.Error(), `"kubeadm"`) {
		t.Errorf("got %v, want the nearest name", err)
	}
}

func TestPluginFilesAreFound(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.yaml.j2": "", "b.yaml": "", "book.yml": "", "mod.py": "import os\n\ndef run(cluster, x=1):\n    pass\n",
		"c.yaml": node("plugins: {p: {installation: {procedures: [{template: a.yaml.j2}, {config: '*.yaml'}, {ansible: book.yml}, {python: {module: mod.py, method: run}}]}}}"),
		"d.yaml": node("plugins: {p: {installation: {procedures: [{python: {module: mod.py, method: walk}}]}}}"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	read(t, filepath.Join(dir, "c.yaml"))
	doc, _ := inventory.ReadFile(filepath.Join(dir, "d.yaml"))
	if _, faults := inventory.Resolve(t.Context(), doc, inventory.Options{}); len(faults) != 1 || faults[0].Code != inventory.PluginMethod {
		t.Errorf("got %s", list(faults))
	}
}

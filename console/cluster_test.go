package console_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/db"
)

// One console is enough: nothing of a document is stored.
func TestClusterDocuments(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		for name, test := range map[string]func(*testing.T, *desk){
			"document is checked":                 testClusterDocumentIsChecked,
			"document sees nothing of the server": testClusterDocumentSeesNothingOfTheServer,
			"topology":                            testClusterTopology,
			"values tell their origin":            testClusterValuesTellTheirOrigin,
			"secrets are masked":                  testClusterSecretsAreMasked,
			"files":                               testClusterFiles,
			"difference":                          testClusterDifference,
			"answers are bounded":                 testClusterAnswersAreBounded,
			"examples are in order":               testClusterExamplesAreInOrder,
		} {
			t.Run(name, func(t *testing.T) {
				own := *k
				own.t = t
				test(t, &own)
			})
		}
	})
}

// cluster is a sample document of the inventory's own tests.
func cluster(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "inventory", "testdata", name, "cluster.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// asked is a body of a request: names and values in turn.
func asked(t *testing.T, pairs ...any) string {
	t.Helper()
	body := object{}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reply asks for something of documents, and reads the answer.
func reply[T any](k *desk, path, body string) T {
	k.t.Helper()
	a := k.ask("POST", "/cluster/"+path, body)
	var got T
	if err := json.Unmarshal(a.body, &got); err != nil || a.status != 200 {
		k.t.Fatalf("%s: got %d %.500s, want an answer: %v", path, a.status, a.body, err)
	}
	return got
}

type check struct {
	Valid            bool
	Errors, Warnings int
	Faults           []struct {
		File, Code, Severity, Message, Hint, Path string
		Line, Column                              int
	}
}

func testClusterDocumentIsChecked(t *testing.T, k *desk) {
	if got := reply[check](k, "check", asked(t, "document", cluster(t, "ha"))); !got.Valid || got.Faults == nil {
		t.Errorf("got %+v, want a valid document", got)
	}
	broken := strings.Replace(cluster(t, "ha"), "roles: [balancer]}", "roles: [balanser]}", 1)
	got := reply[check](k, "check", asked(t, "document", broken, "name", "mine.yaml"))
	if got.Valid || got.Errors != 1 || len(got.Faults) == 0 {
		t.Fatalf("got %+v, want one error", got)
	}
	if f := got.Faults[0]; f.File != "mine.yaml" || f.Line != 18 || f.Column != 58 || f.Code != "schema-enum" || !strings.Contains(f.Hint, "balancer") {
		t.Errorf("got %+v, want the place of the role, and which was meant", f)
	}
	if got := reply[check](k, "check", asked(t, "document", "nodes: [\n  - x")); got.Valid || len(got.Faults) != 1 {
		t.Errorf("got %+v, want where it cannot be read", got)
	}
}

// The server's own files and environment are not for documents.
func testClusterDocumentSeesNothingOfTheServer(t *testing.T, k *desk) {
	document := single + `values: {seen: "<{{ env.PATH }}>"}
plugins: {own: {installation: {procedures: [{template: /etc/passwd}, {config: /nowhere/at-all}]}}}
`
	got := reply[values](k, "effective", asked(t, "document", document))
	if !got.Check.Valid {
		t.Errorf("got %+v, want files that nobody looks for", got.Check)
	}
	for _, v := range got.Values {
		if v.Path == "/values/seen" && v.Value != `"<>"` {
			t.Errorf("got %s, want no variable of the server", v.Value)
		}
	}
}

const single = `cluster_name: k.example
nodes:
  - {name: a, address: 203.0.113.1, internal_address: 10.0.0.1, roles: [control-plane, worker], password: sesame}
`

func testClusterTopology(t *testing.T, k *desk) {
	type answer struct {
		Topology *struct {
			Cluster string
			Virtual []struct{ IP string }
			Layers  []struct {
				Role  string
				Nodes []struct{ Name string }
			}
		}
		Text, SVG string
	}
	got := reply[answer](k, "graph", asked(t, "document", cluster(t, "ha")))
	if got.Topology == nil || len(got.Topology.Layers) != 3 || got.Topology.Layers[0].Nodes[0].Name != "lb-1" || len(got.Topology.Virtual) != 2 {
		t.Errorf("got %+v, want who stands where", got.Topology)
	}
	if !strings.Contains(got.Text, "lb-1") || !strings.HasPrefix(got.SVG, "<svg") {
		t.Errorf("got %q and %.40q, want lines and a drawing", got.Text, got.SVG)
	}
	if got := reply[answer](k, "graph", asked(t, "document", "nodes: []")); got.Topology != nil {
		t.Errorf("got %+v, want nothing of a document with errors", got)
	}
}

type values struct {
	Check  check
	Nodes  []struct{ Name string }
	Values []struct {
		Path, Value, Origin, Rule, Template string
		Line                                int
		Secret                              bool
	}
	Total int
}

func testClusterValuesTellTheirOrigin(t *testing.T, k *desk) {
	origins := map[string]string{}
	got := reply[values](k, "effective", asked(t, "document", cluster(t, "ha")))
	for _, v := range got.Values {
		origins[v.Path] = fmt.Sprint(v.Value, " ", v.Origin, " ", v.Line)
	}
	for path, want := range map[string]string{
		"/cluster_name":                          `"k8s.example.com" document 2`,
		"/services/kubeadm/controlPlaneEndpoint": `"k8s.example.com:6443" calculated 0`,
		"/nodes/5/labels/zone":                   `"eu-1" template 23`,
		"/globals/timeout_download":              `60 default 0`,
		"/nodes/0/username":                      `"ops" node_defaults 6`,
	} {
		if origins[path] != want {
			t.Errorf("%s: got %s want %s", path, origins[path], want)
		}
	}
	if got.Total != len(got.Values) || len(got.Nodes) != 8 {
		t.Errorf("got %d of %d values and %d nodes, want all", len(got.Values), got.Total, len(got.Nodes))
	}
	of := reply[values](k, "effective", asked(t, "document", cluster(t, "ha"), "node", "lb-1"))
	if len(of.Values) == 0 || of.Values[0].Path != "/node/name" {
		t.Errorf("got %+v, want what lb-1 gets", of.Values)
	}
	for _, v := range of.Values {
		if v.Origin == "document" && v.Line == 0 {
			t.Errorf("%s is of the document, but from nowhere in it", v.Path)
		}
	}
	k.ask("POST", "/cluster/effective", asked(t, "document", cluster(t, "ha"), "node", "nobody")).refused(404, "not_found")
	k.ask("POST", "/cluster/effective", asked(t, "document", single, "osFamily", "beos")).refused(400, "invalid")
}

func testClusterSecretsAreMasked(t *testing.T, k *desk) {
	secret := strings.Replace(single, "worker]", "worker, balancer]", 1) + `values: {password: sesame, api: {tokens: [sesame]}, url: "https://ops:sesame@example.com"}
vrrp_ips: [{ip: 10.0.0.9, password: sesame}]
`
	for _, c := range []struct{ path, body string }{
		{"effective", asked(t, "document", secret)},
		{"effective", asked(t, "document", secret, "node", "a")},
		{"render", asked(t, "document", secret, "node", "a")},
		{"diff", asked(t, "old", object{"document": single}, "new", object{"document": secret})},
	} {
		a := k.ask("POST", "/cluster/"+c.path, c.body)
		if a.status != 200 || strings.Contains(string(a.body), "sesame") || !strings.Contains(string(a.body), "********") {
			t.Errorf("%s: got %d %s, want masks", c.path, a.status, a.body)
		}
	}
}

func testClusterFiles(t *testing.T, k *desk) {
	type answer struct {
		Files []struct {
			Path, Mode, Content string
			Size                int
			Masked              bool
		}
		Nodes []struct{ Name string }
		Notes []struct{ Path, Text string }
	}
	got := reply[answer](k, "render", asked(t, "document", cluster(t, "ha"), "node", "lb-1"))
	found := map[string]string{}
	for _, f := range got.Files {
		found[f.Path] = f.Content
		if f.Size != len(f.Content) || f.Masked != strings.Contains(f.Content, "********") {
			t.Errorf("%s: got %d bytes, masked %v, of %q", f.Path, f.Size, f.Masked, f.Content)
		}
	}
	if !strings.Contains(found["/etc/haproxy/haproxy.cfg"], "wk-1") || found["/etc/keepalived/keepalived.conf"] == "" || len(got.Nodes) != 8 || len(got.Notes) == 0 {
		t.Errorf("got %v, notes %v, want the files of a balancer", found, got.Notes)
	}
	if got := reply[answer](k, "render", asked(t, "document", cluster(t, "ha"))); len(got.Files) == 0 || strings.HasPrefix(got.Files[0].Path, "/") {
		t.Errorf("got %+v, want the files of the cluster", got.Files)
	}
}

func testClusterDifference(t *testing.T, k *desk) {
	type change struct {
		Path, Change, Old, New string
		From                   *struct{ Line int }
	}
	type answer struct {
		Old, New   check
		Difference *struct {
			Changed bool
			Summary string
			Nodes   []struct{ Name, Change string }
			Cluster []change
			Values  []struct {
				Nodes   []string
				Changes []change
			}
			Files []struct {
				Path, Diff string
				Nodes      []string
			}
		}
	}
	old := cluster(t, "ha")
	text := strings.Replace(old, "zone: eu-1", "zone: eu-2", 1)
	text = strings.Replace(text, "registry:\n", "  - {name: wk-4, internal_address: 192.168.10.24, roles: [worker]}\nregistry:\n", 1)
	got := reply[answer](k, "diff", asked(t, "old", object{"document": old}, "new", object{"document": text, "name": "new.yaml"}))
	if got.Difference == nil || !got.Difference.Changed || len(got.Difference.Nodes) != 1 || got.Difference.Nodes[0].Name != "wk-4" {
		t.Fatalf("got %+v, want the node that comes", got)
	}
	var zone change
	for _, c := range got.Difference.Cluster {
		if c.Path == "/values/zone" {
			zone = c
		}
	}
	if zone.Old != `"eu-1"` || zone.New != `"eu-2"` || zone.From == nil || zone.From.Line != 9 {
		t.Errorf("got %+v, want the other zone with its line", zone)
	}
	var hosts int
	for _, f := range got.Difference.Files {
		if f.Path == "/etc/hosts" && strings.Contains(f.Diff, "+192.168.10.24") {
			hosts = len(f.Nodes)
		}
	}
	if hosts != 8 {
		t.Errorf("got %d nodes with another /etc/hosts of %+v, want all that stay", hosts, got.Difference.Files)
	}
	if got := reply[answer](k, "diff", asked(t, "old", object{"document": old}, "new", object{"document": "# the same\n" + old})); got.Difference.Changed {
		t.Errorf("got %+v, want no change", got.Difference)
	}
	if got := reply[answer](k, "diff", asked(t, "old", object{"document": old}, "new", object{"document": "{"})); got.Difference != nil || got.New.Valid || !got.Old.Valid {
		t.Errorf("got %+v, want what is wrong with the new one", got)
	}
}

// Answers stay short, whatever a document makes of a few bytes.
func testClusterAnswersAreBounded(t *testing.T, k *desk) {
	const times = 4000
	bomb := single + "values: {a: &a " + strings.Repeat("x", 5000) + ", b: [" + strings.Repeat("*a, ", times) + "]}\n"
	got := reply[values](k, "effective", asked(t, "document", bomb))
	if got.Total <= times || len(got.Values) == 0 || len(got.Values) >= times || len(got.Values[len(got.Values)-1].Value) > 4000 {
		t.Errorf("got %d of %d values, want the beginnings of the first", len(got.Values), got.Total)
	}
	var wrong strings.Builder
	for i := range 600 {
		fmt.Fprintf(&wrong, "wrong%d: 1\n", i)
	}
	if got := reply[check](k, "check", asked(t, "document", wrong.String(), "name", strings.Repeat("n", 9000)+".yaml")); got.Errors < 600 || len(got.Faults) != 500 || len(got.Faults[0].File) > 100 {
		t.Errorf("got %d of %d faults in %q, want 500 with a short name", len(got.Faults), got.Errors, got.Faults[0].File)
	}
	k.ask("POST", "/cluster/check", asked(t, "document", strings.Repeat("#", 5<<20))).refused(413, "too_large")
}

func testClusterExamplesAreInOrder(t *testing.T, k *desk) {
	examples, _ := k.ask("GET", "/cluster/examples", "").object()["examples"].([]any)
	if len(examples) != 3 {
		t.Fatalf("got %v, want one of each shape", examples)
	}
	for _, e := range examples {
		document := e.(object)["document"]
		if got := reply[check](k, "check", asked(t, "document", document)); !got.Valid || got.Warnings > 0 {
			t.Errorf("%v: got %+v, want nothing wrong", e.(object)["shape"], got)
		}
		type formatted struct{ Document *string }
		if got := reply[formatted](k, "format", asked(t, "document", document)); got.Document == nil || *got.Document != document {
			t.Errorf("%v: want it in canonical form", e.(object)["shape"])
		}
	}
}

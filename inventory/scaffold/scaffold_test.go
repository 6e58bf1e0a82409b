package scaffold_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stoa/internal/goldentest"
	"stoa/inventory"
	"stoa/inventory/format"
	"stoa/inventory/scaffold"
)

func TestShapes(t *testing.T) {
	for _, shape := range scaffold.Shapes {
		t.Run(shape, func(t *testing.T) {
			got, err := scaffold.Document(scaffold.Options{Shape: shape})
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", shape+".yaml.golden")
			goldentest.Check(t, golden, got)
		})
	}
}

func TestNodesByName(t *testing.T) {
	var o scaffold.Options
	for _, text := range []string{"lb=[fd00::1]:balancer,worker", "cp=[fd00::2]:control-plane"} {
		n, err := scaffold.ParseNode(text)
		if err != nil {
			t.Fatal(err)
		}
		o.Nodes = append(o.Nodes, n)
	}
	o.VRRP, o.User, o.Keyfile = "fd00::99", "yes", "/keys/a b"
	text, err := scaffold.Document(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"roles: [balancer, worker]", `internal_address: "fd00::1"`, `ip: "fd00::99"`, `external: "fd00::99"`,
		`username: "yes"`, `keyfile: "/keys/a b"`, `podSubnet: "fd02::/48"`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func TestRefusals(t *testing.T) {
	node := func(text string) []scaffold.Node {
		n, err := scaffold.ParseNode(text)
		if err != nil {
			t.Fatal(err)
		}
		return []scaffold.Node{n}
	}
	for _, test := range []struct {
		name    string
		options scaffold.Options
		want    string
	}{
		{"shape", scaffold.Options{Shape: "big"}, "want single, ha, gateway"},
		{"name", scaffold.Options{Name: "10.0.0.1"}, "want a full domain name"},
		{"version", scaffold.Options{Kubernetes: "1.34"}, "want v1.33.0, v1.33.6"},
		{"even", scaffold.Options{Shape: "ha", ControlPlanes: new(2)}, "want an odd number"},
		{"none", scaffold.Options{Shape: "ha", ControlPlanes: new(0)}, "want 1 to 9"},
		{"many", scaffold.Options{Shape: "ha", Workers: new(201)}, "want 0 to 200"},
		{"single", scaffold.Options{Workers: new(3)}, "the shape single has one node"},
		{"vrrp", scaffold.Options{Shape: "ha", VRRP: "x"}, `"x" is not an IP address`},
		{"vrrp alone", scaffold.Options{Shape: "ha", Balancers: new(0), VRRP: "10.0.0.1"}, "needs a balancer"},
		{"gateway", scaffold.Options{Gateway: "@x"}, "want [USER@]ADDRESS"},
		{"both", scaffold.Options{Nodes: node("a=10.0.0.1:worker"), Workers: new(1)}, "either named or counted"},
		{"worker", scaffold.Options{Nodes: node("a=10.0.0.1:control-plane")}, "no worker"},
		{"balancer", scaffold.Options{Nodes: node("a=10.0.0.1:balancer,control-plane,worker")}, "needs a VRRP address"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := scaffold.Document(test.options); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q in it", err, test.want)
			}
		})
	}
	for _, text := range []string{"", "a", "a=", "a=10.0.0.1", "a=10.0.0.1:", "a=10.0.0.1:master", "A=10.0.0.1:worker", "a=x:worker", "a=10.0.0.1:worker,worker"} {
		if n, err := scaffold.ParseNode(text); err == nil {
			t.Errorf("node %q: got %v, want an error", text, n)
		}
	}
}

func TestAnyOptions(t *testing.T) {
	count := rapid.Ptr(rapid.IntRange(0, 12), true)
	text := rapid.OneOf(rapid.Just(""), rapid.Just("10.0.0.5"), rapid.Just("ops@jump.example.com"), rapid.String())
	rapid.Check(t, func(rt *rapid.T) {
		o := scaffold.Options{
			Shape: rapid.SampledFrom(scaffold.Shapes).Draw(rt, "shape"), Name: text.Draw(rt, "name"),
			Balancers: count.Draw(rt, "balancers"), ControlPlanes: count.Draw(rt, "control planes"), Workers: count.Draw(rt, "workers"),
			VRRP: text.Draw(rt, "vrrp"), Gateway: text.Draw(rt, "gateway"), User: text.Draw(rt, "user"), Keyfile: text.Draw(rt, "keyfile"),
			Kubernetes: rapid.SampledFrom(inventory.Versions()).Draw(rt, "version"),
		}
		got, err := scaffold.Document(o)
		if err != nil {
			return
		}
		d, faults := inventory.Load("new.yaml", got)
		if len(faults) == 0 {
			faults = inventory.Lint(t.Context(), d, inventory.Options{NoFiles: true})
		}
		if len(faults) > 0 {
			rt.Fatalf("%v\n%s", faults, got)
		}
		if tidy, _, err := format.Source("new.yaml", got); err != nil || !bytes.Equal(tidy, got) {
			rt.Fatalf("not canonical: %v\n%s", err, got)
		}
	})
}

// The version that is written is the one that a document without it gets.
func TestDefaultVersion(t *testing.T) {
	d, _ := inventory.Load("x.yaml", []byte("cluster_name: a.b\nnode_defaults: {keyfile: k}\nnodes: [{internal_address: 10.0.0.1, roles: [control-plane]}]"))
	inv, faults := inventory.Resolve(t.Context(), d, inventory.Options{})
	if inv == nil {
		t.Fatal(faults)
	}
	if got := inv.Root.Get("services", "kubeadm", "kubernetesVersion").Str(); got != scaffold.DefaultKubernetes {
		t.Errorf("got %s, want %s", scaffold.DefaultKubernetes, got)
	}
}

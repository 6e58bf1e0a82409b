package scaffold_test

import (
	"errors"
	"strings"
	"testing"

	"stoa/inventory/scaffold"
)

func TestAsk(t *testing.T) {
	answers := "big\nha\nshop.example.com\n\nthree\n2\n3\n5\nnowhere\n10.1.0.1\nops\n\nv1.33.6\n"
	var out strings.Builder
	var o scaffold.Options
	if err := scaffold.Ask(strings.NewReader(answers), &out, &o); err != nil {
		t.Fatal(err)
	}
	if o.Shape != "ha" || o.Name != "shop.example.com" || *o.Balancers != 2 || *o.ControlPlanes != 3 || *o.Workers != 5 ||
		o.VRRP != "10.1.0.1" || o.User != "ops" || o.Keyfile != "{{ env.HOME }}/.ssh/id_ed25519" || o.Kubernetes != "v1.33.6" {
		t.Errorf("got %+v", o)
	}
	for _, want := range []string{`shape "big": want single, ha, gateway`, "want a whole number", "want an odd number", `"nowhere" is not an IP address`, "[k8s.example.com]: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

func TestAskOnlyWhatIsOpen(t *testing.T) {
	o := scaffold.Options{Shape: "single", Name: "a.example.com", User: "ops", Keyfile: "k"}
	var out strings.Builder
	if err := scaffold.Ask(strings.NewReader("\n"), &out, &o); err != nil || strings.Count(out.String(), "?")+strings.Count(out.String(), "]: ") != 1 {
		t.Errorf("got %v and\n%s", err, &out)
	}
}

func TestAskWithoutAnswer(t *testing.T) {
	if err := scaffold.Ask(strings.NewReader("ha\n"), new(strings.Builder), new(scaffold.Options)); !errors.Is(err, scaffold.ErrNoAnswer) {
		t.Errorf("got %v, want %v", err, scaffold.ErrNoAnswer)
	}
}

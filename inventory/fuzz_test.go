package inventory_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/inventory"
)

func seeds(f *testing.F) {
	for _, pattern := range []string{"testdata/*/cluster.yaml", "testdata/faults/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	for _, text := range []string{
		"", "\ufeff", "a: 1\n---\n", "{<<: {<<: [{a: b}]}}", "&a [*a]", "a: &b {c: *b}", "{\"a\": [1, 2.5, \"\\ud800\"]}", "a: !!float 5", "{{ x }}: y", "? {a: b}\n: c",
		node("patches: [{groups: [worker], services: {sysctl: {kernel.pid_max: 5}}}]"), node("registry: {address: a, docker_port: 5, ssl: yes}"),
		node("values: {a: '{{ values.b }}', b: '{% for n in nodes %}{{ n.name }}{% endfor %}'}"), node("vrrp_ips: ['::', {ip: 'a', hosts: []}]"),
		node("services: {etc_hosts: {1: [a]}, thirdparties: {/a: b, /usr/bin/kubeadm: c}, packages: {install: [a], upgrade: {exclude: [b]}}}"),
	} {
		f.Add([]byte(text))
	}
}

// FuzzLoad: whatever the bytes, they are read or refused with a place, and what
// was read is written as something that reads the same.
func FuzzLoad(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		for _, name := range []string{"f.yaml", "f.json"} {
			doc, faults := inventory.Load(name, text)
			sane(t, faults)
			if doc == nil {
				continue
			}
			var first, second bytes.Buffer
			if err := inventory.WriteYAML(&first, doc.Root); err != nil {
				t.Fatal(err)
			}
			again, faults := inventory.Load("again.yaml", first.Bytes())
			if again == nil {
				t.Fatalf("not read back: %s\n%s", list(faults), first.String())
			}
			if err := inventory.WriteYAML(&second, again.Root); err != nil {
				t.Fatal(err)
			}
			if first.String() != second.String() {
				t.Fatalf("changed:\n%s\n%s", first.String(), second.String())
			}
		}
	})
}

// FuzzResolve: a document is resolved or refused, never more, and what is
// resolved resolves again.
func FuzzResolve(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<13 {
			return
		}
		doc, _ := inventory.Load("f.yaml", text)
		if doc == nil {
			return
		}
		inv, faults := inventory.Resolve(t.Context(), doc, inventory.Options{NoFiles: true})
		sane(t, faults)
		if (inv == nil) != faults.Invalid() {
			t.Fatalf("inventory: %v, faults: %s", inv != nil, list(faults))
		}
		if inv == nil {
			return
		}
		var b bytes.Buffer
		for _, n := range inv.Nodes {
			if err := inventory.WriteJSON(&b, inv.View(n)); err != nil {
				t.Fatal(err)
			}
		}
		b.Reset()
		if err := inventory.WriteJSON(&b, inv.Root); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(strings.ReplaceAll(b.String(), "{{ .Name }}", ""), "{{") || bytes.Contains(b.Bytes(), []byte("{%")) {
			return
		}
		back, faults := inventory.Load("e.json", bytes.ReplaceAll(b.Bytes(), []byte("{{ .Name }}"), []byte("N")))
		if back == nil {
			t.Fatalf("not read back: %s", list(faults))
		}
		if again, faults := inventory.Resolve(t.Context(), back, inventory.Options{NoFiles: true}); again == nil {
			t.Fatalf("not resolved again: %s\n%s", list(faults), text)
		}
	})
}

// sane: a fault says where, what and under which code.
func sane(t *testing.T, faults inventory.Faults) {
	t.Helper()
	var b bytes.Buffer
	if err := faults.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		if f.Line < 1 || f.Column < 1 || f.Message == "" || f.Path != "" && f.Path[0] != '/' {
			t.Fatalf("%+v", f)
		}
	}
}

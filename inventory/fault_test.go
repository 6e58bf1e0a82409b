package inventory_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/inventory"
)

func TestFaultTexts(t *testing.T) {
	files, _ := filepath.Glob("testdata/faults/*.yaml")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			doc, faults := inventory.ReadFile(file)
			if doc != nil {
				_, faults = inventory.Resolve(t.Context(), doc, inventory.Options{})
			}
			var text bytes.Buffer
			if err := faults.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			goldentest.Check(t, filepath.Join("testdata", "faults/"+strings.TrimSuffix(filepath.Base(file), ".yaml")+".txt.golden"), text.Bytes())
		})
	}
}

func TestFaultJSON(t *testing.T) {
	_, faults := check(t, "cluster_name: 5\nnodes: []\n")
	var b bytes.Buffer
	if err := faults.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, filepath.Join("testdata", "faults/fault.json.golden"), b.Bytes())
	b.Reset()
	if err := inventory.Faults(nil).WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(strings.Fields(b.String()), ""), `{"valid":true,"faults":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFaultSARIF(t *testing.T) {
	doc, _ := inventory.ReadFile("testdata/faults/merge.yaml")
	_, faults := inventory.Resolve(t.Context(), doc, inventory.Options{})
	var b bytes.Buffer
	if err := faults.WriteSARIF(&b); err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, filepath.Join("testdata", "faults/merge.sarif.golden"), b.Bytes())
}

func TestUnreadableFileHasNoPlace(t *testing.T) {
	_, faults := inventory.ReadFile(filepath.Join(t.TempDir(), "none.yaml"))
	if got, want := list(faults), "0:0 parse-unreadable"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

var codeForm = regexp.MustCompile(`^(parse|schema|merge|template|semantic|lint)(-[a-z0-9]+)+$`)

func TestCodesAreExplained(t *testing.T) {
	seen := make(map[inventory.Code]bool)
	for _, c := range inventory.Codes() {
		if seen[c.Code] || !codeForm.MatchString(string(c.Code)) || c.Title == "" || !strings.HasSuffix(c.Explanation, ".") || c.Severity == "" {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
}

func TestSchemaIsDraft07(t *testing.T) {
	var schema struct {
		Schema     string `json:"$schema"`
		Title      string
		Properties map[string]any
	}
	if err := json.Unmarshal(inventory.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Schema != "http://json-schema.org/draft-07/schema#" || len(schema.Properties) != 16 || schema.Title == "" {
		t.Errorf("got %s with %d members", schema.Schema, len(schema.Properties))
	}
}

func TestFrameOfALongLine(t *testing.T) {
	_, faults := inventory.Load("c.json", []byte(`{"values": "`+strings.Repeat("ä", 500)+`", x}`))
	var b bytes.Buffer
	if err := faults.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if caret := []rune(lines[2]); caret[len(caret)-1] != '^' || []rune(lines[1])[len(caret)-1] != 'x' {
		t.Errorf("the caret points elsewhere:\n%s", b.String())
	}
}

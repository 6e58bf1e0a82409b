package format_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stoa/internal/goldentest"
	"stoa/inventory"
	"stoa/inventory/format"
)

func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatal("no golden files", err)
	}
	for _, golden := range files {
		source := strings.TrimSuffix(golden, ".golden")
		t.Run(filepath.Base(source), func(t *testing.T) {
			text, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			got := tidy(t, source, text)
			goldentest.Check(t, golden, got)
		})
	}
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// tidy formats a sound document and holds the result against what always holds.
func tidy(t fataler, name string, text []byte) []byte {
	t.Helper()
	got, faults, err := format.Source(name, text)
	if len(faults) > 0 || err != nil {
		t.Fatalf("%v %v\n%s", faults, err, text)
	}
	again, faults, err := format.Source(name, got)
	if len(faults) > 0 || err != nil || !bytes.Equal(again, got) {
		t.Fatalf("twice is not once: %v %v\n%s\nonce:\n%s\ntwice:\n%s", faults, err, text, got, again)
	}
	if n, m := bytes.Count(text, []byte("#")), bytes.Count(got, []byte("#")); n != m {
		t.Fatalf("%d hash signs became %d:\n%s\n%s", n, m, text, got)
	}
	if bytes.Contains(got, []byte("\r")) || !bytes.HasSuffix(got, []byte("\n")) || bytes.HasPrefix(got, []byte("\ufeff")) {
		t.Fatalf("carriage return, byte order mark or no final newline: %q", got)
	}
	return got
}

func TestAnyDocument(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := &writer{T: rt}
		text := []byte(w.document())
		if _, faults := inventory.Load("x.yaml", text); len(faults) > 0 {
			if code := faults[0].Code; code != inventory.ParseDuplicateKey && code != inventory.ParseAlias {
				rt.Fatalf("the generator is wrong: %v\n%s", faults, text)
			}
			rt.Skip()
		}
		tidy(rt, "x.yaml", text)
	})
}

func FuzzSource(f *testing.F) {
	for _, pattern := range []string{"testdata/*.yaml", "testdata/*.json"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	f.Add([]byte("a: [b: c, {d, e: }, ? f : g]\n? |\n  h\n: &x !!map\n  *y : *z\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, faults, err := format.Source("x.yaml", text)
		if len(faults) > 0 || err != nil {
			return // a refusal changes nothing
		}
		again, faults, err := format.Source("x.yaml", got)
		if len(faults) > 0 || err != nil || !bytes.Equal(again, got) {
			t.Fatalf("twice is not once: %v %v\n%q\nonce:\n%q\ntwice:\n%q", faults, err, text, got, again)
		}
	})
}

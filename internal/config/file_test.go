package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/config"
)

func TestFaultyFileSaysWhere(t *testing.T) {
	tests := []struct {
		name, file string
		want       string
	}{
		{"comment only", "# nothing", ""},
		{"null", "~", ""},
		{"list for settings", "- a", `stoa.yaml:1:1: want settings, each as name: value`},
		{"word for settings", "word", `stoa.yaml:1:1: want settings, each as name: value`},
		{"broken", "data: x\nvideo_listen: 'y", `stoa.yaml:2: found unexpected end of stream`},
		{"not text", "\x00", `stoa.yaml: control characters are not allowed`},
		{"two documents", "data: x\n---\ndata: y", `stoa.yaml:2:1: want one document, not several`},
		{"second document broken", "data: x\n---\n]", `stoa.yaml:2: did not find expected node content`},
		{"map for a value", "video:\n  listen: x", `stoa.yaml:2:3: setting "video": want one value, or a list of values`},
		{"map in a list", "allow:\n  - a: b", `stoa.yaml:2:3: setting "allow": want one value, or a list of values`},
		{"list in itself", "allow: &a [*a]", `stoa.yaml:1:8: setting "allow": want one value, or a list of values`},
		{"list for a name", "? [a]\n: b", `stoa.yaml:1:3: want the name of a setting`},
		{"twice", "data: x\nallow: y\ndata: x", `stoa.yaml:3:1: setting "data" was given before, in line 1`},
		{"several", "data: x\ndata: x\nallow: {}", `stoa.yaml:2:1: setting "data" was given before, in line 1` + "\n" +
			`stoa.yaml:3:8: setting "allow": want one value, or a list of values`},
		{"too large", strings.Repeat("#", 1<<20+1), `settings file: stoa.yaml: larger than 1048576 bytes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, tt.file)
			got := ""
			if _, err := config.Resolver("", nil); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func FuzzSettingsFileDoesNotPanic(f *testing.F) {
	for _, text := range []string{"data: x", "a: &b [1, *b]\n<<: *b", "? {}\n: 1", "---\n...\n---", "!!null a: !!binary b", "\xff"} {
		f.Add(text)
	}
	path := filepath.Join(f.TempDir(), "stoa.yaml")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := config.Check([]string{"data"}, path, nil); err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("got %v, want the file named", err)
		}
	})
}

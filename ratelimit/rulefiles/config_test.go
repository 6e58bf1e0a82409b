package rulefiles

import (
	"path/filepath"
	"testing"

	"stoa/internal/env"
)

func TestConfigDefaults(t *testing.T) {
	var c Config
	if err := env.Parse(&c, map[string]string{"RUNTIME_ROOT": "/r", "RUNTIME_SUBDIRECTORY": ""}); err != nil {
		t.Fatal(err)
	}
	if want := (Config{Root: "/r", AppDirectory: "config", WatchRoot: true}); c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if c.Dir() != filepath.Join("/r", "config") {
		t.Errorf("got %s", c.Dir())
	}
}

func TestResolveRoot(t *testing.T) {
	there, missing := t.TempDir(), t.TempDir()+"/missing"
	for _, test := range []struct {
		name, root, usual string
		wantRoot          string
		wantWatchRoot     bool
	}{
		{"given", "/given", there, "/given", true},
		{"the usual one exists", "", there, there, true},
		{"nothing", "", missing, filepath.Join("data", "ratelimit"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Config{Root: test.root, WatchRoot: true}.resolve(test.usual, "data")
			if c.Root != test.wantRoot || c.WatchRoot != test.wantWatchRoot {
				t.Errorf("got %s, %t, want %s, %t", c.Root, c.WatchRoot, test.wantRoot, test.wantWatchRoot)
			}
		})
	}
}

// Package test holds what concerns the whole tree: its import rules, its
// documents, and journeys over the real app.
package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// rooms may not know each other; only what stands at a room's door is open to
// the others.
var rooms = []string{"ratelimit", "polls", "video", "inventory"}

// forbidden says why package from must not import package to; "" when it may.
func forbidden(from, to string, testing bool) string {
	fromRoom, toRoom := roomOf(from), roomOf(to)
	switch {
	case strings.HasSuffix(to, "test") && !testing && !strings.HasSuffix(from, "test") && !strings.HasPrefix(from, "bench"):
		return "packages for tests are for tests"
	case within(from, "internal") && (toRoom != "" || within(to, "app")):
		return "the workshop knows no room"
	case toRoom == "" || fromRoom == toRoom:
		if fromRoom != "" && within(to, "app") {
			return "app joins rooms, rooms do not know it"
		}
		return ""
	case fromRoom == "":
		if within(from, "cmd") || within(from, "app") || within(from, "console") || within(from, "bench") || within(from, "test") {
			return ""
		}
		if within(from, "demo") && to == "inventory/scaffold" {
			return "" // it writes a document; all else it asks for by HTTP
		}
		return "only cmd, app and the console choose rooms"
	case fromRoom == "ratelimit" || fromRoom == "inventory":
		return "a room does not know another"
	case to == "ratelimit":
		return "" // polls and video ask the pure package
	case to == "ratelimit/memory" && testing:
		return "" // and their tests count in memory
	}
	return "a room does not know another, nor another room's adapters"
}

func roomOf(path string) string {
	for _, room := range rooms {
		if within(path, room) {
			return room
		}
	}
	return ""
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func TestImportsFollowTheRules(t *testing.T) {
	for _, p := range listPackages(t) {
		from := strings.TrimPrefix(p.ImportPath, "stoa/")
		report := func(imports []string, testing bool) {
			for _, path := range imports {
				to, ours := strings.CutPrefix(path, "stoa/")
				if !ours {
					continue
				}
				if why := forbidden(from, to, testing); why != "" {
					t.Errorf("%s imports %s: %s", from, to, why)
				}
			}
		}
		report(p.Imports, false)
		report(append(p.TestImports, p.XTestImports...), true)
	}
}

func TestForbiddenImportsAreNamed(t *testing.T) {
	for _, test := range []struct {
		from, to string
		wrong    bool
	}{
		{"internal/stats", "ratelimit", true},
		{"internal/stats", "internal/fault", false},
		{"ratelimit", "ratelimit/internal/windowed", false},
		{"ratelimit/rls", "ratelimit", false},
		{"ratelimit/rls", "app", true},
		{"polls", "ratelimit", false},
		{"polls", "ratelimit/redis", true},
		{"polls", "video", true},
		{"inventory", "ratelimit", true},
		{"app", "ratelimit/redis", false},
		{"app", "ratelimit/countertest", true},
		{"demo", "inventory/scaffold", false},
		{"demo", "polls", true},
	} {
		if got := forbidden(test.from, test.to, false); (got != "") != test.wrong {
			t.Errorf("%s → %s: got %q, want wrong=%v", test.from, test.to, got, test.wrong)
		}
	}
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "stoa/...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages only", len(packages))
	}
	return packages
}

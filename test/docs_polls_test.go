package test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"stoa/app"
)

// TestPollSettingsAreDocumented looks at every setting of the process: the polls
// need them all.
func TestPollSettingsAreDocumented(t *testing.T) {
	var settings struct{ app.Settings }
	parser, err := kong.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, flag := range parser.Model.Flags {
		if flag.Name != "help" {
			known = append(known, "STOA_"+strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_")))
		}
	}
	const manual = "docs/polls/operating.md"
	text := string(readFile(t, manual))
	for _, name := range known {
		if !regexp.MustCompile("(?m)^\\|.*`" + name + "`.*\\|.*\\|.*\\|$").MatchString(text) {
			t.Errorf("%s has no row for %s", manual, name)
		}
	}
	for _, file := range treeFiles(t, "docs/polls", ".md") {
		for _, name := range regexp.MustCompile("STOA_[A-Z_]+").FindAllString(string(readFile(t, file)), -1) {
			if !slices.Contains(known, name) {
				t.Errorf("%s names %s, which does not exist", file, name)
			}
		}
	}
}

// TestRemovedRoutesAreNamedInTheChangelogOnly holds the route table, the description
// of the API and the manuals free of what v3.12.2 removed.
func TestRemovedRoutesAreNamedInTheChangelogOnly(t *testing.T) {
	const removed = "/slp/"
	for _, r := range app.Routes() {
		if strings.Contains(r.Path, removed) {
			t.Errorf("stoa routes: got %s %s", r.Port, r.Path)
		}
	}
	files := append(treeFiles(t, ".", ".md"), "polls/openapi.yaml")
	for _, file := range files {
		if named := strings.Contains(string(readFile(t, file)), removed); named != (file == "CHANGELOG.md") {
			t.Errorf("%s: got it naming %s: %t", file, removed, named)
		}
	}
}

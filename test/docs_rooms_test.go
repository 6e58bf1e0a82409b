package test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"stoa/app"
)

// manuals say what operators set, each but for what is the other room's alone.
var manuals = map[string]*regexp.Regexp{
	"docs/polls/operating.md": regexp.MustCompile(`^STOA_((SECOND_)?VIDEO_|EGRESS_|RTMPS?_|SRT_|WHIP_)`),
	"docs/video/operating.md": regexp.MustCompile(`^STOA_(POLLS_|MAIL$|(SECOND_)?PUBLIC_URL$|LISTEN$)`),
}

func TestSettingsOfRoomsAreDocumented(t *testing.T) {
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
	for manual, others := range manuals {
		text := string(readFile(t, manual))
		for _, name := range known {
			if !others.MatchString(name) && !regexp.MustCompile("(?m)^\\|.*`"+name+"`.*\\|.*\\|.*\\|$").MatchString(text) {
				t.Errorf("%s has no row for %s", manual, name)
			}
		}
	}
	for _, file := range append(treeFiles(t, "docs/polls", ".md"), treeFiles(t, "docs/video", ".md")...) {
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
	files := append(treeFiles(t, ".", ".md"), "polls/openapi.yaml", "video/openapi.yaml")
	for _, file := range files {
		if named := strings.Contains(string(readFile(t, file)), removed); named != (file == "CHANGELOG.md") {
			t.Errorf("%s: got it naming %s: %t", file, removed, named)
		}
	}
}

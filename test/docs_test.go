package test

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"stoa/ratelimit"
)

// markdownLink finds [text](target), also of pictures.
var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksResolve follows the relative links of every document, also into its
// headings.
func TestLinksResolve(t *testing.T) {
	for _, file := range treeFiles(t, ".", ".md") {
		text := withoutCode(string(readFile(t, file)))
		for _, m := range markdownLink.FindAllStringSubmatch(text, -1) {
			if err := follow(t, file, m[1]); err != "" {
				t.Errorf("%s: link %s: %s", file, m[1], err)
			}
		}
	}
}

func follow(t *testing.T, from, link string) (fault string) {
	t.Helper()
	to, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if to.IsAbs() {
		return "" // others' pages are not ours to check
	}
	target := from
	if to.Path != "" {
		target = path.Join(path.Dir(from), to.Path)
	}
	info, err := os.Stat(filepath.Join(root, target))
	if err != nil {
		return "leads to nothing"
	}
	if to.Fragment == "" {
		return ""
	}
	if info.IsDir() || path.Ext(target) != ".md" {
		return "has a heading in what is no document"
	}
	for line := range strings.Lines(withoutCode(string(readFile(t, target)))) {
		if heading := strings.TrimLeft(line, "#"); heading != line && anchor(heading) == to.Fragment {
			return ""
		}
	}
	return "leads to no heading"
}

// anchor is how a heading is linked to.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(heading))
}

var fenced = regexp.MustCompile("(?ms)^```.*?^```")

// withoutCode leaves out code, in which brackets are no links.
func withoutCode(text string) string {
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllStringFunc(fenced.ReplaceAllString(text, ""), func(code string) string {
		return strings.Trim(code, "`")
	})
}

func TestAnchors(t *testing.T) {
	for heading, want := range map[string]string{
		" Rules, read again": "rules-read-again", "# `/json` over HTTP\n": "json-over-http", " TLS of the gRPC port": "tls-of-the-grpc-port",
	} {
		if got := anchor(strings.TrimLeft(heading, "#")); got != want {
			t.Errorf("%q: got %q, want %q", heading, got, want)
		}
	}
}

// ruleBlock is a block of rules in a document; one that is wrong is followed by
// the fault, indented.
var ruleBlock = regexp.MustCompile("(?ms)^```yaml( wrong)?\n(.*?)^```\n(?:\n    ([^\n]*)\n)?")

func TestDocumentedRulesLoad(t *testing.T) {
	good, bad := 0, 0
	for _, file := range treeFiles(t, "docs/ratelimit", ".md") {
		for _, m := range ruleBlock.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			wrong, text, fault := m[1] != "", m[2], m[3]
			switch {
			case wrong:
				bad++
				if got := faultsOf(text); got != fault || fault == "" {
					t.Errorf("%s:\n%sgot  %s\nwant %s", file, text, got, fault)
				}
			case strings.HasPrefix(text, "domain:"):
				good++
				if got := faultsOf(text); got != "" {
					t.Errorf("%s:\n%s%s", file, text, got)
				}
			}
		}
	}
	if good < 8 || bad < 5 {
		t.Errorf("found only %d good and %d wrong blocks", good, bad)
	}
}

// faultsOf is what is wrong with the rules of a file shop.yaml.
func faultsOf(text string) string {
	spec, err := ratelimit.ParseYAML("shop.yaml", []byte(text))
	if err == nil {
		_, err = ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

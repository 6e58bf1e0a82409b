// Package exampletest runs the examples of an API's page as a reader would: pasted into
// a shell, one after the other.
package exampletest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// Story is a reader who goes through a page.
type Story struct {
	t        testing.TB
	folder   string // that the shell stands in
	examples map[string]example
	environ  []string
	swaps    []string // old, new, …
	told     map[string]bool
	later    map[string]bool // places of answers
}

// example is what the page shows of an operation.
type example struct {
	request string
	answers map[int]string // by status; "" for one without an example
}

// Read finds the examples of a page. The shell stands in a folder, where the files are
// that the requests name.
func Read(t testing.TB, page []byte, folder string) *Story {
	t.Helper()
	tree, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	s := &Story{t: t, folder: folder, examples: map[string]example{}, told: map[string]bool{}, later: map[string]bool{}}
	for n := range tree.Descendants() {
		if n.Data == "section" && strings.Contains(attribute(n, "class"), "operation") {
			s.examples[attribute(n, "aria-labelledby")] = readExample(n)
		}
	}
	if len(s.examples) == 0 {
		t.Fatal("got a page without examples")
	}
	return s
}

func readExample(section *html.Node) example {
	e := example{answers: map[int]string{}}
	status := 0
	for n := range section.Descendants() {
		switch {
		case n.Data == "pre" && e.request == "":
			e.request = text(n)
		case n.Data == "pre":
			e.answers[status] = text(n)
		case n.Data == "th" && attribute(n, "scope") == "row":
			if code, err := strconv.Atoi(text(n)); err == nil {
				e.answers[code] = ""
			}
		case n.Data == "summary":
			status, _ = strconv.Atoi(strings.TrimFunc(strings.SplitN(text(n), ":", 2)[0], func(r rune) bool { return r < '0' || r > '9' }))
		}
	}
	return e
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for child := range n.Descendants() {
		if child.Type == html.TextNode {
			b.WriteString(child.Data)
		}
	}
	return b.String()
}

// Set sets a variable that requests name, such as $TOKEN.
func (s *Story) Set(name, value string) { s.environ = append(s.environ, name+"="+value) }

// Swap reads every old text of requests to come, such as the id of the page's poll, as
// a new one.
func (s *Story) Swap(old, by string) { s.swaps = append([]string{old, by}, s.swaps...) }

// Later says that a member which the page shows is there only later in the story, such
// as "createVideo.source.type".
func (s *Story) Later(place string) { s.later[place] = true }

// Tell runs the example of an operation. It must be answered with a success that the
// page names, of the shape that the page shows; the answer is returned.
func (s *Story) Tell(operation string) []byte {
	s.t.Helper()
	e, ok := s.examples[operation]
	if !ok {
		s.t.Fatalf("the page has no operation %s", operation)
	}
	s.told[operation] = true
	request := strings.NewReplacer(s.swaps...).Replace(e.request)
	status, body := s.run(request)
	shown, named := e.answers[status]
	switch {
	case status >= 400 || !named:
		s.t.Fatalf("%s: got %d %s for\n%s", operation, status, body, request)
	case strings.HasPrefix(shown, "{") || strings.HasPrefix(shown, "["):
		for _, difference := range differences(operation, decode(s.t, []byte(shown)), decode(s.t, body)) {
			if !s.later[difference.place] {
				s.t.Error(difference)
			}
		}
	}
	return body
}

// Object is Tell for answers that are JSON objects.
func (s *Story) Object(operation string) map[string]any {
	s.t.Helper()
	object, ok := decode(s.t, s.Tell(operation)).(map[string]any)
	if !ok {
		s.t.Fatalf("%s: got no object", operation)
	}
	return object
}

// patience is how long a request may go on that has no end of its own.
const patience = 2 * time.Second

func (s *Story) run(request string) (status int, body []byte) {
	s.t.Helper()
	flags := "-sS -w '\\n%{http_code}' "
	if strings.HasPrefix(request, "curl -N ") {
		flags += "--max-time " + strconv.Itoa(int(patience.Seconds())) + " "
	}
	shell := exec.CommandContext(s.t.Context(), "sh", "-c", "curl "+flags+strings.TrimPrefix(request, "curl "))
	shell.Dir, shell.Env = s.folder, append(shell.Environ(), s.environ...)
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	out, err := shell.Output()
	cut := bytes.LastIndexByte(out, '\n')
	if cut < 0 {
		s.t.Fatalf("%s\n%v: %s", request, err, &stderr)
	}
	status, _ = strconv.Atoi(string(out[cut+1:]))
	return status, out[:cut]
}

func decode(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("got %s: %v", text, err)
	}
	return v
}

// End fails for every operation of the page that was not told.
func (s *Story) End() {
	s.t.Helper()
	var left []string
	for operation := range s.examples {
		if !s.told[operation] {
			left = append(left, operation)
		}
	}
	if slices.Sort(left); len(left) > 0 {
		s.t.Errorf("nobody ran the examples of %s", strings.Join(left, ", "))
	}
}

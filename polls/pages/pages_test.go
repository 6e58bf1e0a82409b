package pages_test

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"stoa/internal/goldentest"
	"stoa/polls/pages"
)

var (
	production = pages.New(pages.Options{Origin: "https://polls.example"})
	staging    = pages.New(pages.Options{Origin: "https://polls.example", Environment: "staging"})
)

// views are all pages, as types: tests fill them.
var views = []pages.View{
	pages.Start{}, pages.Feed{}, pages.PollPage{}, pages.Profile{}, pages.NewPoll{},
	pages.Join{}, pages.Login{}, pages.Logout{}, pages.Settings{},
	pages.NewPublisher{}, pages.Publisher{}, pages.PollSet{}, pages.Statistics{},
	pages.NotFound{}, pages.Message{}, pages.Document{},
}

func TestEmptyViewsAreFitForThePolicy(t *testing.T) {
	t.Parallel()
	for _, v := range views {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) {
			t.Parallel()
			checkTree(t, parse(t, render(t, production, v)))
		})
	}
}

func TestTextOfPeopleStaysText(t *testing.T) {
	t.Parallel()
	hostile := []string{
		`"><script>alert('x')</script>`,
		`' onmouseover='alert(1)' x="`,
		`javascript:alert(1)`,
		`https://x.example/"><script>alert(1)</script>`,
		`</textarea></title><img src=x onerror=alert(1)>`,
	}
	for _, v := range views {
		t.Run(reflect.TypeOf(v).Name(), func(t *testing.T) {
			t.Parallel()
			for _, text := range hostile {
				checkTree(t, parse(t, render(t, production, filled(v, text))))
			}
		})
	}
}

func TestCaptionReadsAsItWasTyped(t *testing.T) {
	t.Parallel()
	caption := `<b>"Tabs"</b> & 'spaces'?`
	page := parse(t, render(t, production, pages.PollPage{Poll: pages.Poll{Caption: caption, Large: true}}))
	if got := textOf(find(page, "h1")); got != caption {
		t.Errorf("got caption %q, want %q", got, caption)
	}
	if got := textOf(find(page, "title")); got != caption+" · Stoa" {
		t.Errorf("got title %q, want the caption", got)
	}
}

func TestGoldenPages(t *testing.T) {
	t.Parallel()
	for name, v := range map[string]pages.View{
		"login": pages.Login{EmailOrUsername: "ann", Next: "/815?k=a&b", Errors: pages.Errors{"": "Wrong name or password."}},
		"feed": pages.Feed{
			Common: pages.Common{Viewer: &pages.Viewer{Person: pages.Person{Username: "ann", Name: "Ann"}}},
			Polls:  []pages.Poll{tabsOrSpaces}, More: "/?before_poll_id=815",
		},
	} {
		page := render(t, staging, v)
		folder := strings.TrimSuffix(pages.AssetPath("x"), "/x")
		goldentest.Check(t, "testdata/"+name+".golden", strings.ReplaceAll(page, folder, "/assets/VERSION"))
	}
}

func TestPageHeaders(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	if err := production.Render(w, http.StatusNotFound, pages.NotFound{}); err != nil {
		t.Fatal(err)
	}
	if w.Code != http.StatusNotFound {
		t.Errorf("got status %d, want 404", w.Code)
	}
	for name, want := range map[string]string{
		"Content-Type":            "text/html; charset=utf-8",
		"Content-Security-Policy": pages.Policy,
		"Referrer-Policy":         "strict-origin-when-cross-origin",
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "private, no-cache",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("got %s %q, want %q", name, got, want)
		}
	}
}

// Who goes back after somebody else has logged out must not see what was theirs.
func TestPagesOfOneAccountAreNotKept(t *testing.T) {
	t.Parallel()
	for _, v := range []pages.View{
		pages.Settings{}, pages.NewPoll{}, pages.NewPublisher{}, pages.Publisher{}, pages.PollSet{}, pages.Statistics{},
	} {
		w := httptest.NewRecorder()
		if err := production.Render(w, http.StatusOK, v); err != nil {
			t.Fatal(err)
		}
		if got := w.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("%T: got Cache-Control %q want no-store", v, got)
		}
	}
}

func TestEnvironmentIsShownOnEveryPage(t *testing.T) {
	t.Parallel()
	for _, v := range views {
		if page := render(t, staging, v); !strings.Contains(page, "<strong>staging</strong>") {
			t.Errorf("got no banner on %T, want staging", v)
		}
	}
	if page := render(t, production, pages.NotFound{}); strings.Contains(page, `class="environment"`) {
		t.Error("got a banner in production, want none")
	}
}

var tabsOrSpaces = pages.Poll{
	ID: 815, Path: "/815-tabs-or-spaces", URL: "https://polls.example/815-tabs-or-spaces",
	Caption: "Tabs or spaces?", Created: time.Date(2026, 1, 13, 15, 53, 59, 0, time.UTC),
	Creator:  pages.Person{Username: "ann", Name: "Ann", Photo: "https://polls.example/images/ann.jpeg"},
	Choices:  [2]pages.Choice{{Name: "Tabs", Votes: 1, Percent: 1}, {Name: "Spaces", Votes: 1204, Percent: 99, Winning: true}},
	Image:    &pages.Image{URL: "https://polls.example/images/m.jpeg", LargeURL: "https://polls.example/images/l.jpeg", Width: 640, Height: 480},
	UserVote: 2, Votes: 1205, Comments: 3,
}

func render(t *testing.T, site *pages.Site, v pages.View) string {
	t.Helper()
	w := httptest.NewRecorder()
	if err := site.Render(w, http.StatusOK, v); err != nil {
		t.Fatal(err)
	}
	return w.Body.String()
}

func parse(t *testing.T, page string) *html.Node {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

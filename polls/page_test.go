package polls_test

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
	"stoa/polls/pages"
)

// browser is somebody without script: it keeps cookies, follows redirects and says
// where its forms come from.
type browser struct {
	*site
	client *http.Client
	header http.Header // of every request
}

func newBrowser(s *site) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &browser{s, &http.Client{Jar: jar}, http.Header{"Accept": {"text/html,*/*;q=0.8"}}}
}

// newBrowserOf is one that is logged in.
func newBrowserOf(l login) *browser {
	b := newBrowser(l.site)
	address, err := url.Parse(b.server.URL)
	if err != nil {
		b.t.Fatal(err)
	}
	b.client.Jar.SetCookies(address, b.cookies(l.token, b.service.Mint()))
	return b
}

// screen is the page that a browser shows.
type screen struct {
	answer
	path string // where it is, with the query
}

func (b *browser) do(method, path, contentType string, body io.Reader) screen {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header = b.header.Clone()
	if method == http.MethodPost {
		r.Header.Set("Content-Type", contentType)
		if r.Header.Get("Sec-Fetch-Site") == "" && r.Header.Get("Origin") == "" {
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
	}
	w, err := b.client.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer w.Body.Close()
	content, err := io.ReadAll(w.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return screen{answer{b.t, w.StatusCode, w.Header, content}, w.Request.URL.RequestURI()}
}

// open shows a page.
func (b *browser) open(path string) screen { b.t.Helper(); return b.do("GET", path, "", nil) }

// send sends a form, given as pairs of name and value.
func (b *browser) send(path string, fields ...string) screen {
	b.t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return b.do("POST", path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
}

// sendFile sends a form with a picture; nil for none.
func (b *browser) sendFile(path string, file []byte, fields ...string) screen {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("picture", "picture.jpg") // before the words, as on the page
	if err != nil {
		b.t.Fatal(err)
	}
	_, _ = part.Write(file)
	for i := 0; i < len(fields); i += 2 {
		_ = w.WriteField(fields[i], fields[i+1])
	}
	_ = w.Close()
	return b.do("POST", path, w.FormDataContentType(), &body)
}

// newPoll makes a poll with the form of the page.
func (b *browser) newPoll(more ...string) screen {
	b.t.Helper()
	return b.sendFile("/new", somePicture, append([]string{"caption", "Tabs or spaces?", "choice1", "Tabs", "choice2", "Spaces"}, more...)...)
}

var gaps = regexp.MustCompile(`\s+`)
var tags = regexp.MustCompile(`<[^>]*>`)

// text is what a person reads.
func (p screen) text() string {
	_, body, _ := strings.Cut(string(p.body), "<main")
	return gaps.ReplaceAllString(html.UnescapeString(tags.ReplaceAllString(body, " ")), " ")
}

// says checks the status and that all of the texts can be read.
func (p screen) says(status int, texts ...string) screen {
	p.t.Helper()
	if p.status != status {
		p.t.Fatalf("got %d at %s want %d: %s", p.status, p.path, status, p.text())
	}
	for _, want := range texts {
		if !strings.Contains(p.text(), want) {
			p.t.Errorf("got at %s %q want %q in it", p.path, p.text(), want)
		}
	}
	return p
}

// has checks that the page is made of all of these pieces.
func (p screen) has(pieces ...string) screen {
	p.t.Helper()
	for _, want := range pieces {
		if !strings.Contains(string(p.body), want) {
			p.t.Errorf("got at %s a page without %s: %s", p.path, want, p.body)
		}
	}
	return p
}

func (p screen) lacks(pieces ...string) screen {
	p.t.Helper()
	for _, piece := range pieces {
		if strings.Contains(string(p.body), piece) {
			p.t.Errorf("got at %s a page with %s", p.path, piece)
		}
	}
	return p
}

// at checks where the browser was led to.
func (p screen) at(path string) screen {
	p.t.Helper()
	if p.path != path {
		p.t.Errorf("got to %s want %s", p.path, path)
	}
	return p
}

func TestEveryPageHasItsPolicyAndItsHead(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := ann.ready(nil)
		ann.call("POST", "/publishers", object{"name": "gazette", "display_name": "The Gazette"}).object()
		set := ann.call("POST", "/publishers/gazette/poll_sets", object{"name": "a", "display_name": "A", "poll_ids": poll["pollID"]}).object()
		strangers := []string{"/", "/docs", "/?tag=food", fmt.Sprintf("/%d-tabs-or-spaces", pollID(poll)), "/users/ann", "/join", "/login", "/settings?confirmed=1"}
		members := []string{
			"/settings", "/new", "/publishers/gazette", "/publishers/gazette/statistics", "/publishers/gazette/poll_sets/new",
			fmt.Sprintf("/publishers/gazette/poll_sets/%v", set["id"]),
		}
		b, mine := newBrowser(s), newBrowserOf(ann)
		for path, b := range each(b, mine, strangers, members) {
			page, head := b.open(path).says(200).at(path), b.do("HEAD", path, "", nil)
			caching := "private, no-cache"
			if slices.Contains(members, path) {
				caching = "no-store"
			}
			for name, want := range map[string]string{
				"Content-Security-Policy": pages.Policy, "Referrer-Policy": "strict-origin-when-cross-origin", "Cache-Control": caching,
				"X-Content-Type-Options": "nosniff", "Content-Type": "text/html; charset=utf-8",
			} {
				if got := page.header.Get(name); got != want {
					t.Errorf("%s: got %s %q want %q", path, name, got, want)
				}
			}
			if head.status != 200 || len(head.body) != 0 {
				t.Errorf("HEAD %s: got %d and %d bytes want 200 and none", path, head.status, len(head.body))
			}
		}
		for _, path := range members {
			newBrowser(s).open(path).says(200, "Welcome back").at("/login?next=" + url.QueryEscape(path))
		}
	})
}

func each(stranger, member *browser, strangers, members []string) func(yield func(string, *browser) bool) {
	return func(yield func(string, *browser) bool) {
		for _, path := range strangers {
			yield(path, stranger)
		}
		for _, path := range members {
			yield(path, member)
		}
	}
}

func TestAssetsOfPages(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		if got := s.send("GET", pages.AssetPath("site.js"), nil, nil); got.status != 200 || got.header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("got %d %v want the script", got.status, got.header)
		}
		newBrowser(s).open("/favicon.ico").at(pages.AssetPath("mark.svg")).has("<svg")
	})
}

func TestPagesOfStagingSaySo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *polls.Options) { o.Environment = "staging" })
		newBrowser(s).open("/").says(200).has(`<p class="environment"><strong>staging</strong>`)
		newBrowser(newSite(t, d)).open("/").says(200).lacks(`class="environment"`)
	})
}

func TestOnlyOperatorsAreLedToTheConsole(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *polls.Options) { o.Console = "/console" })
		newBrowserOf(plantLogin(s, d, "boss", "operator")).open("/settings").has(`href="/console"`)
		newBrowserOf(plantLogin(s, d, "ann")).open("/settings").lacks(`href="/console"`)
		newBrowser(s).open("/").lacks(`href="/console"`)
	})
}

func TestUnknownPaths(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		for _, path := range []string{"/nothing", "/0815", "/99999999999999999999", "/815x", "/4711", "/users/nobody", "/publishers", "/a/b/c"} {
			newBrowser(s).open(path).says(404, "Nothing here").has(`href="/login`)
			newBrowserOf(ann).open(path).says(404, "Nothing here").has(`href="/users/ann"`)
			for _, method := range []string{"GET", "HEAD"} {
				if got := s.send(method, path, nil, nil); got.status != 404 || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
					t.Errorf("%s %s: got %d %v want JSON", method, path, got.status, got.header)
				}
			}
		}
		for _, method := range []string{"POST", "DELETE", "PUT", "PATCH"} {
			for _, path := range []string{"/nothing", "/slp", "/slp/balance", "/v1/slp/balance"} {
				got := s.send(method, path, http.Header{"Accept": {"text/html"}}, strings.NewReader("x"))
				if got.status != 404 || string(got.body) != `{"status":404,"message":"Not Found"}` || got.header.Get("Allow") != "" {
					t.Errorf("%s %s: got %d %s %v want the one answer", method, path, got.status, got.body, got.header)
				}
			}
		}
		if got := s.send("DELETE", "/815", nil, nil); got.status != 405 || got.header.Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("got %d %v want a wrong method", got.status, got.header)
		}
	})
}

func TestFormsOfOtherSitesAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := fmt.Sprintf("/%d-tabs-or-spaces", pollID(ann.ready(nil)))
		for _, foreign := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}}, {"Origin": {"https://evil.test"}}, {"Origin": {"null"}},
		} {
			b := newBrowserOf(ann)
			b.header = foreign
			for _, form := range [][]string{
				{poll, "action", "delete"}, {poll, "action", "vote", "option", "1"}, {"/logout"}, {"/viewer"}, {"/settings", "action", "sign_out_everywhere"},
			} {
				b.send(form[0], form[1:]...).says(403, "This form came from another site")
			}
		}
		newBrowser(s).open(poll).says(200, "0 votes")
		newBrowserOf(ann).open("/settings").says(200).at("/settings")
	})
}

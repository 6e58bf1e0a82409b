package embed_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/polls/embed"
)

func samplePage() embed.Page {
	return embed.Page{
		Origin:      "https://polls.example",
		EmbedToken:  "signed-token_1",
		AnonymousID: strings.Repeat("01", 30),
		ViewID:      "view-of-this-page",
		Poll: embed.Poll{
			ID:      815,
			URL:     "https://polls.example/815-tabs-or-spaces",
			Caption: "Tabs or spaces?",
			Choices: [2]embed.Choice{{Name: "Tabs", Votes: 1203, Percentage: 63}, {Name: "Spaces", Votes: 707, Percentage: 37}},
			Image:   embed.Image{URL: "https://polls.example/images/a.jpg", Width: 640, Height: 400},
		},
	}
}

func render(t *testing.T, p embed.Page) (http.Header, string) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := embed.Render(w, http.StatusOK, p); err != nil {
		t.Fatal(err)
	}
	return w.Header(), w.Body.String()
}

func TestPageAsItIsSent(t *testing.T) {
	t.Parallel()
	voted := samplePage()
	voted.Poll.UserVote = 2
	set := samplePage()
	set.PollIDs = []int64{814, 815, 816}
	set.Lang, set.Theme, set.Environment = "ar", "dark", "staging"
	set.EmbedToken, set.Message, set.Poll.Image = "", "Try again in a minute.", embed.Image{}
	for name, page := range map[string]embed.Page{"poll": samplePage(), "voted": voted, "set": set} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, body := render(t, page)
			goldentest.Check(t, "testdata/"+name+".html.golden", markup(body))
		})
	}
}

// markup is a page without its nonce, style and script, which have files of their own.
func markup(body string) string {
	body = regexp.MustCompile(`nonce="\w+"`).ReplaceAllString(body, `nonce="…"`)
	return regexp.MustCompile(`(?s)(nonce="…">).*?(</(?:style|script)>)`).ReplaceAllString(body, "$1…$2")
}

func TestForeignTextStaysText(t *testing.T) {
	t.Parallel()
	texts := []string{
		`</script><script>alert(1)</script>`, `<!--<script>`, `" onmouseover="alert(1)`, `' & < >`, "\u2067שלום\u2069 or \u2028", `{{.Nonce}}`,
	}
	for _, text := range texts {
		p := samplePage()
		p.Poll.Caption, p.Poll.Choices[0].Name, p.Poll.Choices[1].Name, p.Message = text, text+"1", text+"2", text
		p.Environment, p.EmbedToken, p.AnonymousID, p.ViewID, p.Poll.URL, p.Poll.Image.URL = text, text, text, text, text, text
		_, body := render(t, p)
		for _, bad := range []string{`<script>alert`, ` onmouseover="`, `<!--<script`} {
			if strings.Contains(body, bad) {
				t.Errorf("%q: got %q in the page", text, bad)
			}
		}
		if got := captionInData(t, body); got != text {
			t.Errorf("got caption %q in the data of the script, want %q", got, text)
		}
	}
}

func captionInData(t *testing.T, body string) string {
	t.Helper()
	_, rest, _ := strings.Cut(body, `<script type="application/json" id="page">`)
	data, _, _ := strings.Cut(rest, "</script>")
	var page struct{ Poll struct{ Caption string } }
	if err := json.Unmarshal([]byte(data), &page); err != nil {
		t.Fatalf("data of the script: %v in %s", err, data)
	}
	return page.Poll.Caption
}

func TestAddressesThatAreNoLinksAreNotLinked(t *testing.T) {
	t.Parallel()
	p := samplePage()
	p.Poll.URL = "javascript:alert(1)"
	_, body := render(t, p)
	if strings.Contains(body, `href="javascript:`) {
		t.Error("got a link that runs script")
	}
}

func TestEmbedTokenIsOnTheRootElementAndInTheForm(t *testing.T) {
	t.Parallel()
	p := samplePage()
	_, body := render(t, p)
	root := regexp.MustCompile(`<html [^>]*>`).FindString(body)
	if !strings.Contains(root, ` data-embed-token="signed-token_1"`) {
		t.Errorf("got root element %s, want the token in it", root)
	}
	if !strings.Contains(body, `name="embed_token" value="signed-token_1"`) {
		t.Error("got a form without the token")
	}
	p.EmbedToken = ""
	if _, body = render(t, p); strings.Contains(body, "embed-token=") || strings.Contains(body, `name="embed_token"`) {
		t.Error("got a token on a page that records nothing")
	}
}

func TestPageWithoutViewIDGetsOneOfItsOwn(t *testing.T) {
	t.Parallel()
	p := samplePage()
	p.ViewID = ""
	seen := map[string]bool{}
	for range 2 {
		_, body := render(t, p)
		id := regexp.MustCompile(`name="view_id" value="([A-Za-z0-9_-]{16,64})"`).FindStringSubmatch(body)
		if id == nil || seen[id[1]] {
			t.Fatalf("got view id %q, want a new one", id)
		}
		seen[id[1]] = true
	}
}

func TestPollHasTheDirectionOfItsCaption(t *testing.T) {
	t.Parallel()
	p := samplePage()
	p.Poll.Caption = "2026: قهوة أم شاي؟"
	_, body := render(t, p)
	if !strings.Contains(body, `<fieldset dir="rtl"`) || !strings.Contains(body, `<html lang="en" dir="ltr"`) {
		t.Error("got no right-to-left poll in a left-to-right page")
	}
}

package embed_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestHeadersLetAnySiteFrameThePage(t *testing.T) {
	t.Parallel()
	h, _ := render(t, samplePage())
	policy := h.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "img-src 'self' https://polls.example;", "connect-src 'self'", "form-action 'self'", "frame-ancestors * file:"} {
		if !strings.Contains(policy, part) {
			t.Errorf("got policy %q, want %q in it", policy, part)
		}
	}
	for name, want := range map[string]string{
		"Content-Type":           "text/html; charset=utf-8",
		"X-Content-Type-Options": "nosniff",
		"Referrer-Policy":        "strict-origin-when-cross-origin",
		"Cache-Control":          "no-store",
		"X-Frame-Options":        "",
		"Set-Cookie":             "",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: got %q want %q", name, got, want)
		}
	}
}

func TestEveryTagHasTheNonceOfThePolicyAndEveryPageItsOwn(t *testing.T) {
	t.Parallel()
	before := ""
	for range 2 {
		h, body := render(t, samplePage())
		named := regexp.MustCompile(`script-src 'nonce-(\w{22,})'; style-src 'nonce-(\w+)'`).FindStringSubmatch(h.Get("Content-Security-Policy"))
		if named == nil || named[1] != named[2] {
			t.Fatalf("got policy %q, want one nonce for script and style", h.Get("Content-Security-Policy"))
		}
		if got := strings.Count(body, `nonce="`+named[1]+`">`); got != 3 {
			t.Errorf("got %d tags with the nonce of the policy, want the style and two scripts", got)
		}
		if got := len(regexp.MustCompile(`<style|<script`).FindAllString(body, -1)); got != 4 {
			t.Errorf("got %d styles and scripts, want the three with a nonce and the data", got)
		}
		if named[1] == before {
			t.Errorf("got nonce %q twice", before)
		}
		before = named[1]
	}
}

func TestPageIsOneDocumentWithoutInlineHandlersOrStyles(t *testing.T) {
	t.Parallel()
	_, body := render(t, samplePage())
	for _, forbidden := range []string{`<link`, `<script src`, ` style="`, ` onclick`, ` onload`, `javascript:`, `@import`} {
		if strings.Contains(body, forbidden) {
			t.Errorf("got %q in the page, want none", forbidden)
		}
	}
}

// A set of a hundred polls with the longest texts in the longest language.
func TestWeightHasABound(t *testing.T) {
	t.Parallel()
	p := samplePage()
	var every []rune
	for r := '一'; len(every) < 360; r += 37 { // characters that do not repeat do not compress
		every = append(every, r)
	}
	p.Lang = "ar"
	p.Poll.Caption, p.Poll.Choices[0].Name, p.Poll.Choices[1].Name = string(every[:200]), string(every[200:280]), string(every[280:])
	for id := range int64(100) {
		p.PollIDs = append(p.PollIDs, 1<<52+id*id*7919)
	}
	_, body := render(t, p)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(body))
	z.Close()
	if got, most := packed.Len(), 30<<10; got > most {
		t.Errorf("got %d bytes compressed, want at most %d", got, most)
	}
}

func TestEveryScriptFileIsInThePage(t *testing.T) {
	t.Parallel()
	_, body := render(t, samplePage())
	files, err := os.ReadDir("script")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		content, err := os.ReadFile("script/" + file.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(body, string(content)) {
			t.Errorf("got a page without %s", file.Name())
		}
		if regexp.MustCompile(`(?i)</script|<!--`).Match(content) {
			t.Errorf("%s ends the script element that it stands in", file.Name())
		}
	}
}

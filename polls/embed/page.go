// Package embed is what a publisher puts on another site: the page in the
// iframe, and embed.js, which inserts that iframe.
//
// The page is one document with style and script inline, so that it is there
// with one request. It asks nobody but its own origin and has no cookie: whoever
// votes is known by an anonymous id in the iframe's own storage, which it sends
// as a parameter. Of a poll set it holds the poll that is shown and the ids of
// the others, which the script asks the API for: so its weight has a bound.
//
// Without script the page is a form that posts to the page's own address:
//
//	poll_id            the poll that was shown
//	option             1 or 2, the choice that is marked
//	action             vote, remove (take the vote back) or results (show them)
//	show               instead of action: the id of the poll to show now
//	anonymous_user_id  Page.AnonymousID
//	embed_token        Page.EmbedToken
//	view_id            Page.ViewID
//
// It expects the same page back, with the ids that it sent.
package embed

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net/http"
)

// Page is what the page in the iframe shows.
type Page struct {
	Origin      string // of the service, where pictures come from: https://polls.example
	Environment string // shown as a banner; empty in production
	Lang        string // a language tag; one without words of its own is English
	Theme       string // light or dark; anything else goes by the reader's system

	EmbedToken  string // empty: nothing is recorded
	AnonymousID string // who votes when nobody else is known; empty: the script asks for one, the form cannot vote
	ViewID      string // empty: a new one

	Poll        Poll
	PollIDs     []int64 // of a poll set or a tag, in order; empty for one poll
	ShowResults bool    // also without a vote
	Message     string  // what became of a form that was posted; empty: nothing to tell
}

// Poll is the poll that is shown.
type Poll struct {
	ID       int64
	URL      string // its own page
	Caption  string
	Choices  [2]Choice
	UserVote int // 1 or 2; 0: the viewer has not voted, or is not known
	Image    Image
}

type Choice struct {
	Name       string
	Votes      int64
	Percentage int64
}

// Image is the medium picture. Without a URL there is none; without a size the
// page jumps when it has come.
type Image struct {
	URL           string
	Width, Height int
}

var (
	//go:embed document/page.html
	pageHTML     string
	pageTemplate = template.Must(template.New("page").Parse(pageHTML))
)

// Render writes the whole answer. When it fails, nothing has been written.
func Render(w http.ResponseWriter, status int, p Page) error {
	nonce := rand.Text()
	return write(w, status, policy(nonce, p.Origin), pageTemplate, newPageView(p, nonce))
}

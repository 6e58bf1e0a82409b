// Package player is the page that plays a video or a live stream: alone, or in an
// iframe on anybody's site.
//
// The page is markup with the data of one video, a style and small modules of
// our own. hls.js, which is many times heavier than all of these, is fetched
// only when somebody is about to play, and not at all where the browser can play
// HLS by itself. Nothing is asked of any host but those that the addresses of
// the video name. Theme colours are read as numbers and written anew, so that no
// text of a user gets into the style.
//
// The behaviour is steered by the address that frames the page (script/options.js)
// and by messages of the official player SDK (script/sdk.js).
package player

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
)

// State is why there is nothing to play.
type State string

const (
	Playable State = ""
	Waiting  State = "waiting" // not encoded yet, or a live stream off air: the page asks for the manifest until it is there
	Private  State = "private"
	Failed   State = "failed"
	Gone     State = "gone"
)

// Page is what the player shows. Addresses are absolute or begin with a slash,
// and carry whatever token or session they need.
type Page struct {
	State       State
	VideoID     string
	Title       string
	Description string
	Language    string // of title and description; may be empty
	Live        bool
	Ended       bool // a live stream is off air, and its last broadcast can be seen again
	Panoramic   bool
	Duration    float64 // in seconds, of the whole video also while it grows; 0 when not known

	HLS, MP4, Poster string  // HLS may be playable or not yet; the others may be empty
	Storyboard       string  // a WebVTT file whose cues name pictures with #xywh=; empty: no preview
	Captions         []Track // the same that the master playlist lists
	Chapters         []Track // one of them is shown: that of the reader's language, or the first
	Theme            Theme
	Collector        string // the base address that events go to, /watch is added; empty: none are sent
	Air              string // the address that tells what a live stream does
	Broadcast        string // of a live stream: what HLS plays; empty when it waits

	Address string // of this page, for those who share it
}

// Track is a WebVTT file in one language.
type Track struct {
	Language string `json:"language"`
	Label    string `json:"label"`
	Src      string `json:"src"`
	Default  bool   `json:"default"`
}

var (
	//go:embed document/page.html
	pageHTML     string
	pageTemplate = template.Must(template.New("page").Parse(pageHTML))
)

// Write sends the whole answer. When it fails before the first byte, nothing
// has been written.
func (p Page) Write(w http.ResponseWriter, status int) error {
	view := newPageView(p)
	var body bytes.Buffer
	if err := pageTemplate.Execute(&body, view); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", view.policy())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cache-Control", "no-store") // it may hold the session of one viewer
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	return err
}

package player

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/url"
	"slices"
	"strings"
)

// pageView is a Page as its template shows it.
type pageView struct {
	Page     Page
	Heading  string // what is said instead of a video
	Text     string
	Colours  template.CSS
	Icon     string
	Style    string
	Start    string
	Modules  []string // asked for at once, and not one after the other as they import each other
	LogoLink string
	Data     pageData
}

// pageData is what the script reads.
type pageData struct {
	ID         string    `json:"id"`
	Live       bool      `json:"live"`
	Ended      bool      `json:"ended,omitempty"`
	Waiting    bool      `json:"waiting"`
	Panoramic  bool      `json:"panoramic"`
	Duration   float64   `json:"duration"`
	HLS        string    `json:"hls"`
	MP4        string    `json:"mp4"`
	Storyboard string    `json:"storyboard"`
	Captions   []Track   `json:"captions"`
	Chapters   []Track   `json:"chapters"`
	Collector  string    `json:"collector"`
	Air        string    `json:"air,omitempty"`
	Broadcast  string    `json:"broadcast,omitempty"`
	Engine     string    `json:"engine"` // the address of hls.js; empty when it was not brought in
	Theme      themeData `json:"theme"`
}

func newPageView(p Page) pageView {
	heading, text := words(p)
	v := pageView{
		Page:    p,
		Heading: heading,
		Text:    text,
		Colours: p.Theme.style(),
		Icon:    assetPath("icon.svg"),
		Style:   assetPath("player.css"),
		Start:   assetPath("player.js"),
		Modules: modules(),
		Data: pageData{
			ID: p.VideoID, Live: p.Live, Ended: p.Ended, Waiting: p.State == Waiting, Panoramic: p.Panoramic, Duration: p.Duration,
			HLS: p.HLS, MP4: p.MP4, Storyboard: p.Storyboard, Captions: p.Captions, Chapters: p.Chapters,
			Collector: p.Collector, Air: p.Air, Broadcast: p.Broadcast, Theme: p.Theme.data(),
		},
	}
	if Missing() == "" {
		v.Data.Engine = assetPath(engine)
	}
	if link, err := url.Parse(p.Theme.LogoLink); err == nil && (link.Scheme == "https" || link.Scheme == "http") {
		v.LogoLink = p.Theme.LogoLink
	}
	return v
}

// words are what stands where nothing plays.
func words(p Page) (heading, text string) {
	switch {
	case p.State == Waiting && p.Live:
		return "Not live yet", "The broadcast starts here by itself as soon as it is on air."
	case p.State == Waiting:
		return "Almost ready", "This video is being prepared. It starts here by itself, there is no need to reload."
	case p.State == Private && p.Live:
		return "This live stream is private", "It plays only with a link of your own. Ask whoever shared it for a new one."
	case p.State == Gone && p.Live:
		return "There is no live stream here", "It was deleted, or the address is not complete."
	case p.State == Private:
		return "This video is private", "It plays only with a link of your own. Ask whoever shared it for a new one."
	case p.State == Failed:
		return "This video cannot be played", "Its file could not be read. Whoever uploaded it can try again with another one."
	case p.State == Gone:
		return "There is no video here", "It was deleted, or the address is not complete."
	}
	return "", ""
}

// Playing tells whether the page has a player at all.
func (v pageView) Playing() bool { return v.Page.State == Playable || v.Page.State == Waiting }

// policy lets the page run its own script and style and ask the hosts of its
// media, and any site frame it. The hosts are named besides 'self' for a viewer
// who came by another name of the same server.
func (v pageView) policy() string {
	p := v.Page
	addresses := []string{p.HLS, p.MP4, p.Poster, p.Storyboard, p.Collector, p.Air, p.Theme.Logo}
	for _, t := range slices.Concat(p.Captions, p.Chapters) {
		addresses = append(addresses, t.Src)
	}
	hosts := "'self'"
	for _, address := range addresses {
		if origin := originOf(address); origin != "" && !strings.Contains(hosts+" ", " "+origin+" ") {
			hosts += " " + origin
		}
	}
	sum := sha256.Sum256([]byte(v.Colours))
	return "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; img-src " + hosts + "; connect-src " + hosts + "; media-src " + hosts +
		" blob:; base-uri 'none'; form-action 'none'; frame-ancestors *"
}

// originOf is what a policy may name: nothing for a path, and nothing for an
// address whose host could end the directive.
func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || strings.ContainsAny(u.Host, " ;,'\"") {
		return ""
	}
	if scheme := cmp.Or(u.Scheme, "https"); scheme == "http" || scheme == "https" {
		return scheme + "://" + u.Host
	}
	return ""
}

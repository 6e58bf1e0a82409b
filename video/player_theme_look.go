package video

import (
	"stoa/video/internal/colour"
	"stoa/video/internal/problem"
)

// look is the colours and switches of a theme, as the API and the database name them.
type look struct {
	Text             string `json:"text"`
	Link             string `json:"link"`
	LinkHover        string `json:"linkHover"`
	LinkActive       string `json:"linkActive"`
	TrackPlayed      string `json:"trackPlayed"`
	TrackUnplayed    string `json:"trackUnplayed"`
	TrackBackground  string `json:"trackBackground"`
	BackgroundTop    string `json:"backgroundTop"`
	BackgroundBottom string `json:"backgroundBottom"`
	BackgroundText   string `json:"backgroundText"`
	EnableAPI        bool   `json:"enableApi"`
	EnableControls   bool   `json:"enableControls"`
	ForceAutoplay    bool   `json:"forceAutoplay"`
	HideTitle        bool   `json:"hideTitle"`
	ForceLoop        bool   `json:"forceLoop"`
}

const white = "rgba(255, 255, 255, 1)"

// usualLook is that of a theme in which nothing was chosen.
var usualLook = look{
	Text: white, Link: white, LinkHover: white, LinkActive: white, BackgroundText: white,
	TrackPlayed: "rgba(88, 131, 255, .95)", TrackUnplayed: "rgba(255, 255, 255, .35)", TrackBackground: "rgba(255, 255, 255, .2)",
	BackgroundTop: "rgba(0, 0, 0, .7)", BackgroundBottom: "rgba(0, 0, 0, .7)",
	EnableAPI: true, EnableControls: true,
}

// maxThemeName is in characters.
const maxThemeName = 100

// read takes the fields of a body over: what is absent stays, null is the default.
func (t *theme) read(f fields) error {
	var problems []*problem.Error
	if p := f.unset("name", &t.name); p != nil {
		problems = append(problems, p)
	} else if p := checkText("name", t.name, 0, maxThemeName); p != nil {
		problems = append(problems, p)
	}
	problems = append(problems, t.look.read(f)...)
	return problem.All(problems...)
}

func (l *look) read(f fields) (problems []*problem.Error) {
	usual := usualLook
	for i, c := range l.colours() {
		if f.null(c.name) {
			*c.value = *usual.colours()[i].value
		}
		p := f.read(c.name, c.value, wantText)
		if p == nil && !colour.Valid(*c.value) {
			p = problem.Attribute(c.name, colour.Form)
		}
		if p != nil {
			problems = append(problems, p)
		}
	}
	for i, c := range l.switches() {
		if f.null(c.name) {
			*c.value = *usual.switches()[i].value
		}
		if p := f.read(c.name, c.value, wantBool); p != nil {
			problems = append(problems, p)
		}
	}
	return problems
}

// choice is one thing about a look that can be chosen.
type choice[T any] struct {
	name  string
	value *T
}

func (l *look) colours() []choice[string] {
	return []choice[string]{
		{"text", &l.Text}, {"link", &l.Link}, {"linkHover", &l.LinkHover}, {"linkActive", &l.LinkActive},
		{"trackPlayed", &l.TrackPlayed}, {"trackUnplayed", &l.TrackUnplayed}, {"trackBackground", &l.TrackBackground},
		{"backgroundTop", &l.BackgroundTop}, {"backgroundBottom", &l.BackgroundBottom}, {"backgroundText", &l.BackgroundText},
	}
}

func (l *look) switches() []choice[bool] {
	return []choice[bool]{
		{"enableApi", &l.EnableAPI}, {"enableControls", &l.EnableControls}, {"forceAutoplay", &l.ForceAutoplay},
		{"hideTitle", &l.HideTitle}, {"forceLoop", &l.ForceLoop},
	}
}

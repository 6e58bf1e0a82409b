package player

import (
	"html/template"
	"strings"
)

// Theme is how the controls look and behave. Colours are written as
// rgba(255, 255, 255, .5), rgb(255, 255, 255) or #ffffff; one that is empty or
// cannot be read has its default.
type Theme struct {
	Text, Link, LinkHover, LinkActive, BackgroundText string
	TrackPlayed, TrackUnplayed, TrackBackground       string
	BackgroundTop, BackgroundBottom                   string

	Logo, LogoLink string // a link that is not http or https is left out

	NoAPI      bool // messages of the site around are not listened to
	NoControls bool
	HideTitle  bool
	Autoplay   bool
	Loop       bool
}

// themeData is what of a theme the script reads.
type themeData struct {
	API       bool `json:"api"`
	Controls  bool `json:"controls"`
	HideTitle bool `json:"hideTitle"`
	Autoplay  bool `json:"autoplay"`
	Loop      bool `json:"loop"`
}

func (t Theme) data() themeData {
	return themeData{API: !t.NoAPI, Controls: !t.NoControls, HideTitle: t.HideTitle, Autoplay: t.Autoplay, Loop: t.Loop}
}

// style gives the colours as properties that player.css uses.
func (t Theme) style() template.CSS {
	white, shade := colour{255, 255, 255, 1}, colour{0, 0, 0, .7}
	var b strings.Builder
	b.WriteString(":root{")
	for _, property := range []struct {
		name, value string
		fallback    colour
	}{
		{"text", t.Text, white},
		{"link", t.Link, white},
		{"link-hover", t.LinkHover, white},
		{"link-active", t.LinkActive, white},
		{"background-text", t.BackgroundText, white},
		{"track-played", t.TrackPlayed, colour{88, 131, 255, .95}},
		{"track-unplayed", t.TrackUnplayed, colour{255, 255, 255, .35}},
		{"track-background", t.TrackBackground, colour{255, 255, 255, .2}},
		{"background-top", t.BackgroundTop, shade},
		{"background-bottom", t.BackgroundBottom, shade},
	} {
		c, ok := parseColour(property.value)
		if !ok {
			c = property.fallback
		}
		b.WriteString("--" + property.name + ":" + c.String() + ";")
	}
	b.WriteString("}")
	return template.CSS(b.String())
}

package player

import (
	"regexp"
	"testing"
)

func TestParseColour(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, want string // want "" is a refusal
	}{
		{"rgba(255, 255, 255, 1)", "rgba(255,255,255,1)"},
		{"rgba(88, 131, 255, .95)", "rgba(88,131,255,0.95)"},
		{" RGBA(0,0,0,0.7) ", "rgba(0,0,0,0.7)"},
		{"rgb(1, 2, 3)", "rgba(1,2,3,1)"},
		{"#fff", "rgba(255,255,255,1)"},
		{"#102030", "rgba(16,32,48,1)"},
		{"#10203000", "rgba(16,32,48,0)"},
		{"", ""},
		{"red", ""},
		{"rgba(256, 0, 0, 1)", ""},
		{"rgba(1, 2, 3, 1.5)", ""},
		{"rgba(1, 2, 3, -1)", ""},
		{"rgba(1, 2, 3, NaN)", ""},
		{"rgba(1, 2, 3, 1e0)", ""},
		{"rgba(1, 2, 3, .)", ""},
		{"rgba(1, 2, 3, 1, 1)", ""},
		{"rgba(1, 2)", ""},
		{"rgba(1, 2, 3, 1); } body { display: none", ""},
		{"rgba(1, 2, 3, 1);background:url(https://a.example)", ""},
		{"#ggg", ""},
		{"#ÿÿ", ""},
		{"rgba(", ""},
		{"rgba)", ""},
	} {
		c, ok := parseColour(test.text)
		got := ""
		if ok {
			got = c.String()
		}
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// Whatever a colour is called, what gets into the style is a colour.
func FuzzThemeStyle(f *testing.F) {
	for _, text := range []string{"rgba(1, 2, 3, .5)", "#fff", "red;}", "rgba(1,2,3,1)}*{", "</style>"} {
		f.Add(text)
	}
	whole := regexp.MustCompile(`^:root\{(--[a-z-]+:rgba\(\d{1,3},\d{1,3},\d{1,3},[0-9.]+\);){10}\}$`)
	f.Fuzz(func(t *testing.T, text string) {
		style := string(Theme{Text: text, Link: text, BackgroundTop: text, TrackPlayed: text}.style())
		if !whole.MatchString(style) {
			t.Fatalf("%q: got style %s", text, style)
		}
	})
}

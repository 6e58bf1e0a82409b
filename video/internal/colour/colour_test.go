package colour_test

import (
	"strings"
	"testing"

	"stoa/video/internal/colour"
)

func TestColours(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"rgba(255, 255, 255, 1)": true, "rgba(88, 131, 255, .95)": true, "rgba(0,0,0,0)": true, "rgba( 1 , 2 , 3 , 0.5 )": true,
		"rgba(1, 2, 3, 1.0)": true, "rgba(1, 2, 3, 0.0)": true, "rgb(1, 2, 3)": true, "#fff": true, "#ffff": true, "#FFaa00": true, "#FFaa0080": true,

		"": false, "white": false, "rgba(256, 0, 0, 1)": false, "rgb(0, 0, 999)": false, "rgba(1, 2, 3)": false, "rgb(1, 2, 3, 1)": false,
		"rgba(1, 2, 3, 1.1)": false, "rgba(1, 2, 3, 2)": false, "rgba(1, 2, 3, 50%)": false, "rgba(1, 2, 3, .)": false, "rgba(-1, 2, 3, 1)": false,
		"rgba(1, 2, 3, 1);": false, "rgba(1, 2, 3, 1)}": false, "rgba(1, 2,\n3, 1)": false, "#ff": false, "#fffff": false, "#ggg": false, "#fff\n": false,
		"url(x)": false, "var(--x)": false, "rgba(1, 2, 3, 1)/**/": false, "rgba(١, 2, 3, 1)": false,
	} {
		if got := colour.Valid(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
	if !strings.Contains(colour.Form, "rgba(") {
		t.Errorf("got %q, want a sentence that shows the forms", colour.Form)
	}
}

func FuzzValid(f *testing.F) {
	f.Add("rgba(88, 131, 255, .95)")
	f.Add("#ffaa00")
	f.Fuzz(func(t *testing.T, text string) {
		if colour.Valid(text) && (len(text) > 80 || strings.Trim(text, "rg()#, .0123456789ABCDEFabcdef") != "") {
			t.Errorf("got %q taken, want nothing but a colour", text)
		}
	})
}

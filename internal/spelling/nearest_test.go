package spelling_test

import (
	"strings"
	"testing"

	"stoa/internal/spelling"
)

func TestNearest(t *testing.T) {
	words := []string{"video_listen", "data", "listen", "control-plane", "worker"}
	for _, test := range []struct{ name, word, want string }{
		{"a swap of neighbours", "vidoe_listen", "video_listen"},
		{"a letter too few", "dta", "data"},
		{"a letter too many", "workers", "worker"},
		{"another letter", "lisden", "listen"},
		{"a dash for an underscore, and case", "Video-Listen", "video_listen"},
		{"nothing near", "polls", ""},
		{"two thirds of a short word", "dxyz", ""},
		{"too long to be a misspelling", strings.Repeat("data", 100), ""},
		{"nothing", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := spelling.Nearest(test.word, words); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

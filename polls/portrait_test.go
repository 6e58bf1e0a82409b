package polls_test

import (
	"bytes"
	"image/png"
	"net/http"
	"testing"

	"stoa/internal/db"
)

func TestPortraits(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for file, side := range map[string]int{"1-64.png": 64, "1-256.png": 256, "anonymous-64.png": 64} {
			a := s.send("GET", "/portraits/"+file, nil, nil)
			image, err := png.DecodeConfig(bytes.NewReader(a.body))
			if err != nil || a.status != 200 || image.Width != side || image.Height != side {
				t.Errorf("%s: got %d, %v, %v want %d pixels", file, a.status, image, err, side)
			}
			for name, want := range map[string]string{
				"Content-Type": "image/png", "Cache-Control": "public, max-age=31536000, immutable",
				"Content-Security-Policy": "default-src 'none'", "X-Content-Type-Options": "nosniff",
			} {
				if got := a.header.Get(name); got != want {
					t.Errorf("%s: %s: got %q want %q", file, name, got, want)
				}
			}
			again := s.send("GET", "/portraits/"+file, http.Header{"If-None-Match": {a.header.Get("Etag")}}, nil)
			if again.status != 304 {
				t.Errorf("%s: got %d with its tag want 304", file, again.status)
			}
		}
		for _, file := range []string{"1-65.png", "0-64.png", "01-64.png", "-1-64.png", "1-64.jpg", "1.png", "9007199254740992-64.png", "bob-64.png", "64.png"} {
			s.send("GET", "/portraits/"+file, nil, nil).refused(404, "not_found", "")
		}
	})
}

package embed

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

// frame is what every page of this package has around its content.
type frame struct {
	Nonce, Theme, Environment string
	Words                     words
	Style                     template.CSS
	Script, SizeScript        template.JS
}

var (
	//go:embed document/page.css
	style string

	//go:embed script
	scriptFiles embed.FS

	// script is all files in one scope. Nothing runs before the last.
	script = join("page.js", "api.js", "viewer.js", "poll.js", "draw.js", "seen.js", "vote.js", "live.js", "set.js", "start.js")

	// sizeScript tells the site around the iframe how high the page is.
	sizeScript = join("size.js")
)

func join(files ...string) template.JS {
	var all strings.Builder
	for _, file := range files {
		content, err := scriptFiles.ReadFile("script/" + file)
		if err != nil {
			panic(err) // the list above names a file that is not there
		}
		all.Write(content)
	}
	return template.JS(all.String())
}

func newFrame(lang, theme, environment, nonce string) frame {
	if theme != "light" && theme != "dark" {
		theme = "auto"
	}
	return frame{
		Nonce:       nonce,
		Theme:       theme,
		Environment: environment,
		Words:       wordsIn(lang),
		Style:       template.CSS(style),
		Script:      script,
		SizeScript:  sizeScript,
	}
}

// write sends a page with its headers. Pages hold an id of one
// viewer, so nobody may keep a copy.
func write(w http.ResponseWriter, status int, policy string, page *template.Template, view any) error {
	var body bytes.Buffer
	if err := page.Execute(&body, view); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err := w.Write(body.Bytes())
	return err
}

// policy lets the page run its own style and script, and any site frame it, also
// one that is opened from disk, which the star leaves out. The
// origin is named besides 'self' for a reader who came by another name of the
// same server: addresses of pictures begin with the configured one.
func policy(nonce, origin string) string {
	pictures := strings.TrimSpace("'self' " + origin)
	return "default-src 'none'; script-src 'nonce-" + nonce + "'; style-src 'nonce-" + nonce + "'; img-src " + pictures +
		"; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors * file:"
}

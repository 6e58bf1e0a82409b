package console

import (
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"sync"

	"stoa/internal/asset"
	"stoa/internal/web"
)

// The page has one address for each view, and finds out by itself which one is meant.
const assetsPath = "/console/assets"

func (c *Console) pageRoutes() web.Routes {
	return web.Routes{
		"GET /console":                            c.getPage,
		"GET /console/{view...}":                  c.getPage,
		"GET " + assetsPath + "/{version}/{file}": getAsset,
	}
}

// What scripts/console.sh builds.
const (
	script = "console.js"
	style  = "console.css"
	theme  = "theme.js" // runs before anything is painted
)

//go:embed all:dist
var built embed.FS

var assets = sync.OnceValue(func() *asset.Bundle {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return asset.New(assetsPath, files)
})

func getAsset(w http.ResponseWriter, r *http.Request) error {
	assets().ServeHTTP(w, r)
	return nil
}

// missing is "", or a sentence on what this build lacks.
func missing(b *asset.Bundle) string {
	if b.Has(script) && b.Has(style) {
		return ""
	}
	return "This build has no console: run make build, and start the program that it makes. Everything else works."
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("console").Parse(pageText))

// getPage is the console for a person; it says who they are only when it asks the API.
func (c *Console) getPage(w http.ResponseWriter, r *http.Request) error {
	return writePage(w, assets(), c.policy)
}

func writePage(w http.ResponseWriter, b *asset.Bundle, policy string) error {
	status := http.StatusOK
	view := struct{ Missing, Theme, Script, Style string }{missing(b), b.Path(theme), b.Path(script), b.Path(style)}
	if view.Missing != "" {
		status = http.StatusNotImplemented
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(status)
	return pageTemplate.Execute(w, view)
}

// pagePolicy lets the page use its own files, this site, and the origin of the videos.
func pagePolicy(video string) string {
	if video != "" {
		video = " " + video
	}
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:" + video +
		"; media-src blob:" + video + "; connect-src 'self'" + video + "; frame-src 'self'" + video +
		"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// Package pages renders what people see of the polls: feed, poll, profile,
// account, the making of a poll, and the area of a publisher.
//
// A handler fills one of the view structs and calls [Site.Render]. Each view is
// one template below templates/, framed by layout.html. Every page works as
// plain HTML: forms post to the page's own address, with a field "action" where
// a page has several. The modules below assets/ then make voting, commenting
// and composing happen in place, through the JSON API.
//
// The content policy allows no inline script and no style attribute. Bars are
// therefore SVG rectangles, whose width is an attribute, and the modules set
// styles through the object model only.
package pages

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strings"
)

// Policy is the Content-Security-Policy of every page; that with a video adds where its
// frame comes from.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed templates
var templates embed.FS

// Options is what a Site is made of.
type Options struct {
	Origin      string // "https://polls.example", the address that people see
	Environment string // "staging": shown as a banner on every page; empty: none
}

// Site renders pages. It is safe for use by many goroutines.
type Site struct {
	pages map[string]*template.Template
}

// New parses the templates, which are part of the program.
func New(o Options) *Site {
	frame := template.Must(template.New("").Funcs(functions(o)).
		ParseFS(templates, "templates/layout.html", "templates/part_*.html"))
	files, err := templates.ReadDir("templates")
	if err != nil {
		panic(err) // the folder is embedded
	}
	s := &Site{pages: map[string]*template.Template{}}
	for _, file := range files {
		name := file.Name()
		if name == "layout.html" || strings.HasPrefix(name, "part_") {
			continue
		}
		page := template.Must(frame.Clone())
		s.pages[strings.TrimSuffix(name, ".html")] = template.Must(page.ParseFS(templates, path.Join("templates", name)))
	}
	return s
}

// Render answers with a page. When it fails nothing has been written, unless
// the connection itself broke.
func (s *Site) Render(w http.ResponseWriter, status int, v View) error {
	var page bytes.Buffer
	if err := s.pages[v.template()].ExecuteTemplate(&page, "layout.html", v); err != nil {
		return fmt.Errorf("render %s page: %w", v.template(), err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy(v))
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", caching(v))
	w.WriteHeader(status)
	_, err := page.WriteTo(w)
	return err
}

// caching is what a browser may keep of a page, all of which show who is looking.
// Of those that are for one account alone it keeps nothing: going back after
// logging out must not show them again.
func caching(v View) string {
	switch v.template() {
	case "settings", "new", "publisher_new", "publisher", "poll_set", "statistics":
		return "no-store"
	}
	return "private, no-cache"
}

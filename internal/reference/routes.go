package reference

import (
	"net/http"
	"sync"

	"stoa/internal/web"
)

// Routes serves the description of a service that has no pages to put it in: to people
// at page, to tools below s.Files. It is made when somebody first asks for it.
func Routes(s Service, page, title string, openapi []byte) web.Routes {
	document := sync.OnceValues(func() (*Document, error) { return New(s, openapi) })
	serve := func(how func(*Document, http.ResponseWriter, *http.Request) error) web.Handler {
		return func(w http.ResponseWriter, r *http.Request) error {
			d, err := document()
			if err != nil {
				return err
			}
			return how(d, w, r)
		}
	}
	file := func(form string) web.Handler {
		return serve(func(d *Document, w http.ResponseWriter, r *http.Request) error { return d.ServeFile(w, r, form) })
	}
	return web.Routes{
		"GET " + page:              serve(func(d *Document, w http.ResponseWriter, r *http.Request) error { return d.ServeSite(w, r, title) }),
		"GET " + s.Files + ".yaml": file("yaml"),
		"GET " + s.Files + ".json": file("json"),
	}
}

package console

import (
	_ "embed"
	"net/http"
	"sync"

	"stoa/internal/reference"
	"stoa/internal/web"
)

//go:embed openapi.yaml
var openAPI []byte

// newDocs is the description of the API, made when somebody first asks for it.
func newDocs(origin string) func() (*reference.Document, error) {
	return sync.OnceValues(func() (*reference.Document, error) {
		return reference.New(reference.Service{Origin: origin, Example: "https://polls.example", Files: "/api/operator/openapi"}, openAPI)
	})
}

func (c *Console) docRoutes() web.Routes {
	return web.Routes{
		"GET " + DocsPath: c.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeSite(w, r, "Stoa: the operator API")
		}),
		"GET " + base + "/openapi.yaml": c.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "yaml")
		}),
		"GET " + base + "/openapi.json": c.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "json")
		}),
	}
}

// document serves the description in some form, to anybody.
func (c *Console) document(serve func(*reference.Document, http.ResponseWriter, *http.Request) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		d, err := c.docs()
		if err != nil {
			return err
		}
		return serve(d, w, r)
	}
}

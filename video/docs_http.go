package video

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
		return reference.New(reference.Service{Origin: origin, Example: "https://video.example", Files: "/docs/openapi"}, openAPI)
	})
}

func (s *Service) docRoutes() web.Routes {
	return web.Routes{
		"GET /docs": s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeSite(w, r, "Stoa video: the API")
		}),
		"GET /docs/openapi.yaml": s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "yaml")
		}),
		"GET /docs/openapi.json": s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "json")
		}),
	}
}

// document serves the description of the API in some form.
func (s *Service) document(serve func(*reference.Document, http.ResponseWriter, *http.Request) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		d, err := s.docs()
		if err != nil {
			return err
		}
		return serve(d, w, r)
	}
}

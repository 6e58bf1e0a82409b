package rls

import (
	_ "embed"
	"net/http"
	"sync"

	"stoa/internal/reference"
)

//go:embed openapi.yaml
var openAPI []byte

// docs is the description of the HTTP port, made when somebody first asks for it. The
// port has no name of its own that people know, so the examples ask this machine.
var docs = sync.OnceValues(func() (*reference.Document, error) {
	const here = "http://localhost:8080"
	return reference.New(reference.Service{Origin: here, Example: here, Files: "/docs/openapi"}, openAPI)
})

func (s *Service) docRoutes() Routes {
	return Routes{
		{"/docs", "what this port answers, with examples; /docs/openapi.yaml and .json for tools", s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeSite(w, r, "Stoa rate limits: the API")
		})},
		{"/docs/openapi.yaml", "", s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "yaml")
		})},
		{"/docs/openapi.json", "", s.document(func(d *reference.Document, w http.ResponseWriter, r *http.Request) error {
			return d.ServeFile(w, r, "json")
		})},
	}
}

// document serves the description in some form.
func (s *Service) document(serve func(*reference.Document, http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		d, err := docs()
		if err != nil {
			return err
		}
		return serve(d, w, r)
	})
}

package polls

import (
	"bytes"
	_ "embed"
	"net/http"
	"time"

	"stoa/internal/web"
	"stoa/polls/pages"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Service) docRoutes() web.Routes {
	return web.Routes{
		"GET /docs":               s.show(s.getDocs),
		"GET /openapi/polls.yaml": s.getOpenAPIInYAML,
		"GET /openapi/polls.json": s.getOpenAPIInJSON,
	}
}

// getDocs is the description of the API for people.
func (s *Service) getDocs(v *visit) error {
	docs, err := s.docs()
	if err != nil {
		return err
	}
	return s.render(v, http.StatusOK, pages.Document{Common: v.common, Title: "The API", HTML: docs.Page})
}

func (s *Service) getOpenAPIInYAML(w http.ResponseWriter, r *http.Request) error {
	docs, err := s.docs()
	if err != nil {
		return err
	}
	return serveOpenAPI(w, r, "application/yaml", docs.YAML)
}

func (s *Service) getOpenAPIInJSON(w http.ResponseWriter, r *http.Request) error {
	docs, err := s.docs()
	if err != nil {
		return err
	}
	return serveOpenAPI(w, r, "application/json", docs.JSON)
}

// serveOpenAPI answers with a form of the document, to tools on any site.
func serveOpenAPI(w http.ResponseWriter, r *http.Request, kind string, content []byte) error {
	h := w.Header()
	h.Set("Content-Type", kind+"; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Access-Control-Allow-Origin", "*")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

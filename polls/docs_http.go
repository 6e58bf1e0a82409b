package polls

import (
	_ "embed"
	"net/http"

	"stoa/internal/web"
	"stoa/polls/pages"
)

//go:embed openapi.yaml
var openAPI []byte

func (s *Service) docRoutes() web.Routes {
	return web.Routes{
		"GET /docs":               s.show(s.getDocs),
		"GET /openapi/polls.yaml": s.getOpenAPI("yaml"),
		"GET /openapi/polls.json": s.getOpenAPI("json"),
	}
}

// getDocs is the description of the API for people.
func (s *Service) getDocs(v *visit) error {
	docs, err := s.docs()
	if err != nil {
		return err
	}
	more, err := s.otherDocs(v)
	if err != nil {
		return err
	}
	return s.render(v, http.StatusOK, pages.Document{Common: v.common, Title: "The API of the polls", HTML: docs.Page, More: more})
}

// otherDocs is the descriptions of the other APIs of this server.
func (s *Service) otherDocs(v *visit) ([]pages.Link, error) {
	if s.Neighbours == nil {
		return nil, nil
	}
	n, err := s.Neighbours(v.r.Context())
	if err != nil {
		return nil, err
	}
	var more []pages.Link
	for _, link := range []pages.Link{{Name: "the API of the videos", Address: n.VideoDocs}, {Name: "the API of operators", Address: n.OperatorDocs}} {
		if link.Address != "" {
			more = append(more, link)
		}
	}
	return more, nil
}

// getOpenAPI is the description for tools, in a form of theirs.
func (s *Service) getOpenAPI(form string) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		docs, err := s.docs()
		if err != nil {
			return err
		}
		return docs.ServeFile(w, r, form)
	}
}

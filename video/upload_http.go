package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/form"
	"stoa/video/internal/problem"
)

func (s *Service) sourceRoutes() web.Routes {
	return web.Routes{
		"POST /videos/{videoId}/source": s.patient(s.upload(s.postSource)),
		"POST /upload":                  s.patient(s.postUpload),
	}
}

func (s *Service) postSource(c *call) error {
	v, err := s.receiveSource(c.r.Context(), c.project, c.r.PathValue("videoId"), c.r.Header.Values("Content-Range"), formOf(c.r))
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, s.answer(v))
}

// postUpload needs no key: a token in the query stands for its project. It looks at no
// Authorization header, since some clients send one here too.
func (s *Service) postUpload(w http.ResponseWriter, r *http.Request) error {
	if err := checkQuery(r); err != nil {
		return err
	}
	token := r.URL.Query().Get("token")
	project, err := s.projectOfToken(r.Context(), token)
	if err != nil {
		return err
	}
	if err := s.limit(w, r, projectLimit(project)); err != nil {
		return err
	}
	v, err := s.receiveDelegated(r.Context(), project, token, r.Header.Values("Content-Range"), formOf(r))
	if err != nil {
		return err
	}
	return problem.JSON(w, http.StatusCreated, s.answer(v))
}

// maxForm bounds what a form has beside its file, in bytes.
const maxForm = 1 << 20

func formOf(r *http.Request) formReader {
	return func(o form.Options, take func(form.File) error) (map[string]string, error) {
		if r.ContentLength > o.Limit+maxForm { // the client need not send that first
			return nil, problem.FileTooLarge.WithDetail("Send at most %d bytes at once.", o.Limit)
		}
		return form.Read(r, o, take)
	}
}

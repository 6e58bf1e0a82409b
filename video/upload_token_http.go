package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func (s *Service) uploadTokenRoutes() web.Routes {
	return web.Routes{
		"POST /upload-tokens":                 s.write(s.postUploadToken),
		"GET /upload-tokens":                  s.read(s.getUploadTokens),
		"GET /upload-tokens/{uploadToken}":    s.read(s.getUploadToken),
		"DELETE /upload-tokens/{uploadToken}": s.write(s.dropUploadToken),
	}
}

type jsonUploadToken struct {
	Token     string  `json:"token"`
	TTL       int64   `json:"ttl"`
	CreatedAt moment  `json:"createdAt"`
	ExpiresAt *moment `json:"expiresAt"`
}

func (t uploadToken) answer() jsonUploadToken {
	return jsonUploadToken{t.token, t.ttl, momentOf(t.created), optionalMoment(t.expires)}
}

func (s *Service) postUploadToken(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	var ttl int64
	if body.read("ttl", &ttl, "") != nil || ttl < 0 || ttl > maxTTL {
		return problem.All(problem.Attribute("ttl", "This value should be a whole number of seconds, 0 (for ever) to %d.", maxTTL))
	}
	t, err := s.createUploadToken(c.r.Context(), c.project, ttl)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, t.answer())
}

func (s *Service) getUploadTokens(c *call) error {
	l, err := readPage(c.r.URL.Query(), `token`, map[string]string{"createdAt": `created_at`, "ttl": `ttl`})
	if err != nil {
		return err
	}
	tokens, total, err := s.listUploadTokens(c.r.Context(), c.project, l)
	if err != nil {
		return err
	}
	answers := make([]jsonUploadToken, len(tokens))
	for i, t := range tokens {
		answers[i] = t.answer()
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, l.page, total, answers))
}

func (s *Service) getUploadToken(c *call) error {
	t, err := s.uploadToken(c.r.Context(), c.project, c.r.PathValue("uploadToken"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, t.answer())
}

func (s *Service) dropUploadToken(c *call) error {
	if err := s.deleteUploadToken(c.r.Context(), c.project, c.r.PathValue("uploadToken")); err != nil {
		return err
	}
	return c.done()
}

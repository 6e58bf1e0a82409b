package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
	"stoa/video/internal/webhook"
)

func (s *Service) hookRoutes() web.Routes {
	return web.Routes{
		"POST /webhooks":               s.write(s.postHook),
		"GET /webhooks":                s.read(s.getHooks),
		"GET /webhooks/{webhookId}":    s.read(s.getHook),
		"DELETE /webhooks/{webhookId}": s.write(s.dropHook),
	}
}

type jsonHook struct {
	WebhookID       string   `json:"webhookId"`
	CreatedAt       moment   `json:"createdAt"`
	Events          []string `json:"events"`
	URL             string   `json:"url"`
	SignatureSecret string   `json:"signatureSecret"`
}

func (h hook) answer() jsonHook {
	return jsonHook{h.id, momentOf(h.created), h.events, h.url, h.secret}
}

func (s *Service) postHook(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	h, err := s.createHook(c.r.Context(), c.project, body)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, h.answer())
}

func (s *Service) getHooks(c *call) error {
	q := c.r.URL.Query()
	page, badPage := paging.Read(q)
	event := q.Get("events")
	var badEvent *problem.Error
	if event != "" && !webhook.Known(event) {
		badEvent = problem.Query("events", "There is no such event: name one of %v.", webhook.Types)
	}
	if err := problem.Join(badPage, problem.All(badEvent)); err != nil {
		return err
	}
	hooks, total, err := s.listHooks(c.r.Context(), c.project, event, list{page: page, order: `created_at DESC, id DESC`})
	if err != nil {
		return err
	}
	answers := make([]jsonHook, len(hooks))
	for i, h := range hooks {
		answers[i] = h.answer()
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, page, total, answers))
}

func (s *Service) getHook(c *call) error {
	h, err := s.hook(c.r.Context(), c.project, c.r.PathValue("webhookId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, h.answer())
}

func (s *Service) dropHook(c *call) error {
	if err := s.deleteHook(c.r.Context(), c.project, c.r.PathValue("webhookId")); err != nil {
		return err
	}
	return c.done()
}

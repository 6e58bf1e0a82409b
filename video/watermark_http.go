package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/picture"
)

func (s *Service) watermarkRoutes() web.Routes {
	return web.Routes{
		"POST /watermarks":                 s.upload(s.postWatermark),
		"GET /watermarks":                  s.read(s.getWatermarks),
		"DELETE /watermarks/{watermarkId}": s.write(s.dropWatermark),
	}
}

type jsonWatermark struct {
	WatermarkID string `json:"watermarkId"`
	CreatedAt   moment `json:"createdAt"`
}

func (w watermark) answer() jsonWatermark { return jsonWatermark{w.id, momentOf(w.created)} }

func (s *Service) postWatermark(c *call) error {
	file, _, err := c.smallFile(picture.MaxWatermark)
	if err != nil {
		return err
	}
	w, err := s.createWatermark(c.r.Context(), c.project, file)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, w.answer())
}

func (s *Service) getWatermarks(c *call) error {
	l, err := readPage(c.r.URL.Query(), `id`, map[string]string{"createdAt": `created_at`})
	if err != nil {
		return err
	}
	watermarks, total, err := s.listWatermarks(c.r.Context(), c.project, l)
	if err != nil {
		return err
	}
	answers := make([]jsonWatermark, len(watermarks))
	for i, w := range watermarks {
		answers[i] = w.answer()
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, l.page, total, answers))
}

func (s *Service) dropWatermark(c *call) error {
	if err := s.deleteWatermark(c.r.Context(), c.project, c.r.PathValue("watermarkId")); err != nil {
		return err
	}
	return c.done()
}

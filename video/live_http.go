package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// liveRoutes are those of live streams. There are none, so the list is empty and no
// id names one.
func (s *Service) liveRoutes() web.Routes {
	none := func(*call) error { return problem.NotFound("liveStreamId") }
	return web.Routes{
		"POST /live-streams":                            s.write(func(*call) error { return problem.Unrecognized() }),
		"GET /live-streams":                             s.read(s.getLiveStreams),
		"GET /live-streams/{liveStreamId}":              s.read(none),
		"PATCH /live-streams/{liveStreamId}":            s.write(none),
		"DELETE /live-streams/{liveStreamId}":           s.write(none),
		"POST /live-streams/{liveStreamId}/thumbnail":   s.upload(none),
		"DELETE /live-streams/{liveStreamId}/thumbnail": s.write(none),
		"PUT /live-streams/{liveStreamId}/complete":     s.write(none),
	}
}

func (s *Service) getLiveStreams(c *call) error {
	q := c.r.URL.Query()
	page, err := paging.Read(q)
	if err != nil {
		return err
	}
	if _, _, err := paging.Order(q, "createdAt desc", "name", "createdAt", "updatedAt"); err != nil {
		return err
	}
	return c.json(http.StatusOK, paging.Answer[struct{}](c.r.URL, page, 0, nil))
}

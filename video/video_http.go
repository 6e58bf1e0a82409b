package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func (s *Service) videoRoutes() web.Routes {
	return web.Routes{
		"POST /videos":                      s.write(s.postVideo),
		"GET /videos":                       s.read(s.getVideos),
		"GET /videos/{videoId}":             s.read(s.getVideo),
		"PATCH /videos/{videoId}":           s.write(s.patchVideo),
		"DELETE /videos/{videoId}":          s.write(s.dropVideo),
		"GET /videos/{videoId}/status":      s.read(s.getStatus),
		"GET /discarded/videos":             s.read(s.getDiscardedVideos),
		"GET /discarded/videos/{videoId}":   s.read(s.getDiscardedVideo),
		"PATCH /discarded/videos/{videoId}": s.write(s.patchDiscardedVideo),
	}
}

func (s *Service) postVideo(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	v, err := s.createVideo(c.r.Context(), c.project, body)
	if err != nil {
		return err
	}
	if v.source.kind != "" { // it is still to be fetched
		return c.json(http.StatusAccepted, s.answer(v))
	}
	return c.json(http.StatusCreated, s.answer(v))
}

func (s *Service) getVideos(c *call) error          { return s.writeVideos(c, videoThere) }
func (s *Service) getDiscardedVideos(c *call) error { return s.writeVideos(c, videoDiscarded) }

func (s *Service) writeVideos(c *call, state videoState) error {
	list, err := readVideoList(c.r.URL.Query(), c.project, state)
	if err != nil {
		return err
	}
	videos, total, err := s.listVideos(c.r.Context(), list)
	if err != nil {
		return err
	}
	answers := make([]jsonVideo, len(videos))
	for i, v := range videos {
		answers[i] = s.answer(v)
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, list.page, total, answers))
}

func (s *Service) getVideo(c *call) error {
	v, err := s.findVideo(c.r.Context(), s.db, c.project, c.r.PathValue("videoId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

func (s *Service) patchVideo(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	v, err := s.changeVideo(c.r.Context(), c.project, c.r.PathValue("videoId"), body)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

func (s *Service) dropVideo(c *call) error {
	if err := s.deleteVideo(c.r.Context(), c.project, c.r.PathValue("videoId")); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) getDiscardedVideo(c *call) error {
	v, err := s.findDiscarded(c.r.Context(), c.project, c.r.PathValue("videoId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

func (s *Service) patchDiscardedVideo(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	if err := wantRestored(body); err != nil {
		return err
	}
	v, err := s.restoreVideo(c.r.Context(), c.project, c.r.PathValue("videoId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

// wantRestored reads the one thing that can be asked of a discarded video.
func wantRestored(body fields) error {
	discarded := true
	if !body.has("discarded") {
		return problem.All(problem.Required("discarded"))
	}
	if body.read("discarded", &discarded, wantBool) != nil || discarded {
		return problem.All(problem.Attribute("discarded", "Value must be false."))
	}
	return nil
}

func (s *Service) getStatus(c *call) error {
	status, err := s.videoStatus(c.r.Context(), c.project, c.r.PathValue("videoId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, status)
}

package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/picture"
)

func (s *Service) liveStreamRoutes() web.Routes {
	return web.Routes{
		"POST /live-streams":                            s.write(s.postLiveStream),
		"GET /live-streams":                             s.read(s.getLiveStreams),
		"GET /live-streams/{liveStreamId}":              s.read(s.getLiveStream),
		"PATCH /live-streams/{liveStreamId}":            s.write(s.patchLiveStream),
		"DELETE /live-streams/{liveStreamId}":           s.write(s.dropLiveStream),
		"POST /live-streams/{liveStreamId}/thumbnail":   s.upload(s.postLiveThumbnail),
		"DELETE /live-streams/{liveStreamId}/thumbnail": s.write(s.dropLiveThumbnail),
		"PUT /live-streams/{liveStreamId}/complete":     s.write(s.putComplete),
	}
}

func (s *Service) postLiveStream(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	l, err := s.createLiveStream(c.r.Context(), c.project, body)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.liveAnswer(l))
}

func (s *Service) getLiveStreams(c *call) error {
	l, err := readLiveStreamList(c.r.URL.Query(), c.project)
	if err != nil {
		return err
	}
	streams, total, err := s.listLiveStreams(c.r.Context(), l)
	if err != nil {
		return err
	}
	answers := make([]jsonLiveStream, len(streams))
	for i, one := range streams {
		answers[i] = s.liveAnswer(one)
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, l.page, total, answers))
}

func (s *Service) getLiveStream(c *call) error {
	l, err := findLiveStream(c.r.Context(), s.db, c.project, c.r.PathValue("liveStreamId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.liveAnswer(l))
}

func (s *Service) patchLiveStream(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	l, err := s.changeLiveStream(c.r.Context(), c.project, c.r.PathValue("liveStreamId"), body)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.liveAnswer(l))
}

func (s *Service) dropLiveStream(c *call) error {
	if err := s.deleteLiveStream(c.r.Context(), c.project, c.r.PathValue("liveStreamId")); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) postLiveThumbnail(c *call) error {
	file, _, err := c.smallFile(picture.MaxPoster)
	if err != nil {
		return err
	}
	l, err := s.putLiveThumbnail(c.r.Context(), c.project, c.r.PathValue("liveStreamId"), file)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, s.liveAnswer(l))
}

func (s *Service) dropLiveThumbnail(c *call) error {
	l, err := s.deleteLiveThumbnail(c.r.Context(), c.project, c.r.PathValue("liveStreamId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.liveAnswer(l))
}

// putComplete answers without a body, and so without a content type.
func (s *Service) putComplete(c *call) error {
	if err := s.completeLiveStream(c.r.Context(), c.project, c.r.PathValue("liveStreamId")); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusAccepted)
	return nil
}

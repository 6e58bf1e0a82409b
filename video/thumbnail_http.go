package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/picture"
	"stoa/video/internal/problem"
	"stoa/video/internal/timecode"
)

func (s *Service) thumbnailRoutes() web.Routes {
	return web.Routes{
		"POST /videos/{videoId}/thumbnail":  s.upload(s.postThumbnail),
		"PATCH /videos/{videoId}/thumbnail": s.write(s.patchThumbnail),
	}
}

func (s *Service) postThumbnail(c *call) error {
	file, _, err := c.smallFile(picture.MaxPoster)
	if err != nil {
		return err
	}
	v, err := s.putThumbnail(c.r.Context(), c.project, c.r.PathValue("videoId"), file)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

func (s *Service) patchThumbnail(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	at, err := readPick(body)
	if err != nil {
		return err
	}
	v, err := s.pickThumbnail(c.r.Context(), c.project, c.r.PathValue("videoId"), at)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.answer(v))
}

// readPick reads the place of a thumbnail. Whether the video has it is seen when
// the picture is made.
func readPick(body fields) (string, error) {
	var text string
	if !body.has("timecode") || body.null("timecode") {
		return "", problem.All(problem.Required("timecode"))
	}
	if p := body.read("timecode", &text, wantText); p != nil {
		return "", problem.All(p)
	}
	if _, ok := timecode.Parse(text); !ok {
		return "", problem.All(problem.Attribute("timecode", timecode.Form))
	}
	return text, nil
}

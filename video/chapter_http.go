package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/language"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func (s *Service) chapterRoutes() web.Routes {
	return web.Routes{
		"POST /videos/{videoId}/chapters/{language}":   s.upload(s.postChapter),
		"GET /videos/{videoId}/chapters/{language}":    s.read(s.getChapter),
		"DELETE /videos/{videoId}/chapters/{language}": s.write(s.dropChapter),
		"GET /videos/{videoId}/chapters":               s.read(s.getChapters),
	}
}

type jsonChapter struct {
	URI      string `json:"uri"`
	Src      string `json:"src"`
	Language string `json:"language"`
}

func (s *Service) chapterAnswer(v *video, t track) jsonChapter {
	uri, src := s.trackAddress(v, chapters, t)
	return jsonChapter{uri, src, t.language}
}

// chapterLanguage is the language in the path. A tag is part of the name of a file,
// so its length is bounded.
func chapterLanguage(c *call) (string, error) {
	const longest = 35 // bytes: what BCP 47 tells programs to have room for
	tag := c.r.PathValue("language")
	kept, ok := language.Chapter(tag)
	if len(tag) > longest || !ok {
		return "", problem.All(problem.Attribute("language", "Give a language tag of BCP 47, such as en or pt-BR."))
	}
	return kept, nil
}

func (s *Service) postChapter(c *call) error {
	tag, err := chapterLanguage(c)
	if err != nil {
		return err
	}
	content, _, err := c.smallFile(maxTrack)
	if err != nil {
		return err
	}
	v, t, err := s.putTrack(c.r.Context(), c.project, c.r.PathValue("videoId"), chapters, tag, content)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.chapterAnswer(v, t))
}

func (s *Service) getChapter(c *call) error {
	tag, err := chapterLanguage(c)
	if err != nil {
		return err
	}
	v, t, err := s.track(c.r.Context(), c.project, c.r.PathValue("videoId"), chapters, tag)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.chapterAnswer(v, t))
}

func (s *Service) dropChapter(c *call) error {
	tag, err := chapterLanguage(c)
	if err != nil {
		return err
	}
	if err := s.deleteTrack(c.r.Context(), c.project, c.r.PathValue("videoId"), chapters, tag); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) getChapters(c *call) error {
	page, err := paging.Read(c.r.URL.Query())
	if err != nil {
		return err
	}
	v, tracks, total, err := s.listTracks(c.r.Context(), c.project, c.r.PathValue("videoId"), chapters, list{page: page})
	if err != nil {
		return err
	}
	answers := make([]jsonChapter, len(tracks))
	for i, t := range tracks {
		answers[i] = s.chapterAnswer(v, t)
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, page, total, answers))
}

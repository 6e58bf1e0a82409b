package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/language"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func (s *Service) captionRoutes() web.Routes {
	return web.Routes{
		"POST /videos/{videoId}/captions/{language}":   s.upload(s.postCaption),
		"GET /videos/{videoId}/captions/{language}":    s.read(s.getCaption),
		"PATCH /videos/{videoId}/captions/{language}":  s.write(s.patchCaption),
		"DELETE /videos/{videoId}/captions/{language}": s.write(s.dropCaption),
		"GET /videos/{videoId}/captions":               s.read(s.getCaptions),
	}
}

type jsonCaption struct {
	URI          string `json:"uri"`
	Src          string `json:"src"`
	Srclang      string `json:"srclang"`
	LanguageName string `json:"languageName"`
	Default      bool   `json:"default"`
}

func (s *Service) captionAnswer(v *video, t track) jsonCaption {
	uri, src := s.trackAddress(v, captions, t)
	name, _ := language.Caption(t.language)
	return jsonCaption{uri, src, t.language, name, t.isDefault}
}

// captionLanguage is the language in the path.
func captionLanguage(c *call) (string, error) {
	tag := c.r.PathValue("language")
	if _, ok := language.Caption(tag); !ok {
		return "", problem.All(problem.Attribute("language", "Give the tag of a language that captions can be in, such as en or pt-BR."))
	}
	return tag, nil
}

func (s *Service) postCaption(c *call) error {
	tag, err := captionLanguage(c)
	if err != nil {
		return err
	}
	content, _, err := c.smallFile(maxTrack)
	if err != nil {
		return err
	}
	v, t, err := s.putTrack(c.r.Context(), c.project, c.r.PathValue("videoId"), captions, tag, content)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.captionAnswer(v, t))
}

func (s *Service) getCaption(c *call) error {
	tag, err := captionLanguage(c)
	if err != nil {
		return err
	}
	v, t, err := s.track(c.r.Context(), c.project, c.r.PathValue("videoId"), captions, tag)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.captionAnswer(v, t))
}

// patchCaption changes the one thing that can change; null unsets it.
func (s *Service) patchCaption(c *call) error {
	tag, err := captionLanguage(c)
	if err != nil {
		return err
	}
	body, err := c.body()
	if err != nil {
		return err
	}
	if !body.has("default") {
		return s.getCaption(c)
	}
	var isDefault bool
	if p := body.read("default", &isDefault, wantBool); p != nil {
		return problem.All(p)
	}
	v, t, err := s.setDefaultCaption(c.r.Context(), c.project, c.r.PathValue("videoId"), tag, isDefault)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.captionAnswer(v, t))
}

func (s *Service) dropCaption(c *call) error {
	tag, err := captionLanguage(c)
	if err != nil {
		return err
	}
	if err := s.deleteTrack(c.r.Context(), c.project, c.r.PathValue("videoId"), captions, tag); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) getCaptions(c *call) error {
	page, err := paging.Read(c.r.URL.Query())
	if err != nil {
		return err
	}
	v, tracks, total, err := s.listTracks(c.r.Context(), c.project, c.r.PathValue("videoId"), captions, list{page: page})
	if err != nil {
		return err
	}
	answers := make([]jsonCaption, len(tracks))
	for i, t := range tracks {
		answers[i] = s.captionAnswer(v, t)
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, page, total, answers))
}

// trackAddress is where a track is in the API, and where its file is.
func (s *Service) trackAddress(v *video, kind trackKind, t track) (uri, src string) {
	place, _ := s.placeOf(v)
	return "/videos/" + v.id + "/" + string(kind) + "/" + t.language, place + "/" + string(kind) + "/" + t.language + ".vtt"
}

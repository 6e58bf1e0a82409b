package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/picture"
)

func (s *Service) themeRoutes() web.Routes {
	return web.Routes{
		"POST /players":                   s.write(s.postTheme),
		"GET /players":                    s.read(s.getThemes),
		"GET /players/{playerId}":         s.read(s.getTheme),
		"PATCH /players/{playerId}":       s.write(s.patchTheme),
		"DELETE /players/{playerId}":      s.write(s.dropTheme),
		"POST /players/{playerId}/logo":   s.upload(s.postLogo),
		"DELETE /players/{playerId}/logo": s.write(s.dropLogo),
		"GET /logo/{playerId}/{file}":     s.getLogo,
	}
}

type jsonTheme struct {
	PlayerID string `json:"playerId"`
	Name     string `json:"name"`
	look
	CreatedAt moment    `json:"createdAt"`
	UpdatedAt moment    `json:"updatedAt"`
	Assets    *jsonLogo `json:"assets,omitempty"`
}

type jsonLogo struct {
	Logo string `json:"logo"`
	Link string `json:"link,omitempty"`
}

func (s *Service) themeAnswer(t theme) jsonTheme {
	a := jsonTheme{PlayerID: t.id, Name: t.name, look: t.look, CreatedAt: momentOf(t.created), UpdatedAt: momentOf(t.updated)}
	if t.logo != "" {
		a.Assets = &jsonLogo{s.logoAddress(&t), t.link}
	}
	return a
}

// logoAddress is where the logo of a theme that has one is served.
func (s *Service) logoAddress(t *theme) string {
	return s.Origin + "/logo/" + t.id + "/" + t.logo + ".png"
}

func (s *Service) postTheme(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	t, err := s.createTheme(c.r.Context(), c.project, body)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, s.themeAnswer(t))
}

func (s *Service) getThemes(c *call) error {
	l, err := readPage(c.r.URL.Query(), `id`,
		map[string]string{"name": `name_key`, "createdAt": `created_at`, "updatedAt": `updated_at`})
	if err != nil {
		return err
	}
	themes, total, err := s.listThemes(c.r.Context(), c.project, l)
	if err != nil {
		return err
	}
	answers := make([]jsonTheme, len(themes))
	for i, t := range themes {
		answers[i] = s.themeAnswer(t)
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, l.page, total, answers))
}

func (s *Service) getTheme(c *call) error {
	t, err := s.theme(c.r.Context(), s.db, c.project, c.r.PathValue("playerId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.themeAnswer(t))
}

func (s *Service) patchTheme(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	t, err := s.changeTheme(c.r.Context(), c.project, c.r.PathValue("playerId"), body)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, s.themeAnswer(t))
}

func (s *Service) dropTheme(c *call) error {
	if err := s.deleteTheme(c.r.Context(), c.project, c.r.PathValue("playerId")); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) postLogo(c *call) error {
	file, fields, err := c.smallFile(picture.MaxLogo)
	if err != nil {
		return err
	}
	t, err := s.putLogo(c.r.Context(), c.project, c.r.PathValue("playerId"), file, fields["link"])
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, s.themeAnswer(t))
}

func (s *Service) dropLogo(c *call) error {
	if err := s.deleteLogo(c.r.Context(), c.project, c.r.PathValue("playerId")); err != nil {
		return err
	}
	return c.done()
}

// getLogo serves a version of a logo, which never changes.
func (s *Service) getLogo(w http.ResponseWriter, r *http.Request) error {
	object, err := s.openLogo(r.Context(), r.PathValue("playerId"), r.PathValue("file"))
	if err != nil {
		return err
	}
	defer object.Close()
	h := w.Header()
	h.Set("Content-Type", object.Info.ContentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", `"`+object.Info.ETag+`"`)
	http.ServeContent(w, r, "", object.Info.Modified, object)
	return nil
}

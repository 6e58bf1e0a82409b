package polls

import (
	"bytes"
	"net/http"
	"time"

	"stoa/internal/db"
	"stoa/internal/web"
	"stoa/polls/embed"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) embedRoutes() web.Routes {
	routes := web.Routes{
		"POST " + base + "/embeds/beacon": s.answer(limits.Beacon, wire.ReadBeacon, s.postBeacon),
		"GET /assets/embed.js":            getLoader,
	}
	const page = "/publishers/{publisher_name}/embedded_polls/iframe"
	// It is a page, and its path is written like those of the API: it is found at both.
	for _, path := range []string{page, base + page, "/embed/poll/{poll_id}"} {
		routes["GET "+path] = s.inFrame(s.getFrame)
		routes["POST "+path] = s.inFrame(s.postFrame)
	}
	return routes
}

// embedJSON is also what a placement is answered with, which has no id.
type embedJSON struct {
	Success   bool   `json:"success"`
	ID        int64  `json:"id,omitzero"`
	EmbedName string `json:"embed_name,omitzero"`
	Placement string `json:"placement,omitzero"`
	targetJSON
	Script string `json:"script"`
	Iframe string `json:"iframe"`
}

func (s *Service) postEmbed(c *call) error {
	name, _, err := c.params.String("embed_name")
	if err != nil {
		return err
	}
	want, err := c.wantedTarget()
	if err != nil {
		return err
	}
	e, err := s.createEmbed(c.r.Context(), c.user(), c.publisherName(), name, want)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, embedJSON{
		Success: true, ID: e.ID, EmbedName: e.Name, targetJSON: e.Target.json(), Script: e.Script, Iframe: e.Iframe,
	})
}

func (s *Service) putPlacement(c *call) error {
	want, err := c.wantedTarget()
	if err != nil {
		return err
	}
	slot, err := s.setPlacement(c.r.Context(), c.user(), c.publisherName(), c.r.PathValue("placement"), want)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, embedJSON{
		Success: true, Placement: slot.Name, targetJSON: slot.Target.json(), Script: slot.Script, Iframe: slot.Iframe,
	})
}

// postBeacon counts a view.
func (s *Service) postBeacon(c *call) error {
	token, shown, err := c.params.String("embed_token")
	if err != nil {
		return err
	}
	seen, good := s.keys.VerifyEmbed(token, time.Now())
	switch {
	case shown && !good:
		return wire.Errorf(wire.InvalidToken, "embed_token", "this token is not good any more; load the page again")
	case c.viewer.voter == "":
		return errNoVoter
	case !shown:
		return wire.Missing("embed_token")
	}
	id, err := c.params.NeedString("view_id")
	if err != nil {
		return err
	}
	if !viewID.MatchString(id) {
		return wire.Errorf(wire.InvalidParameter, "view_id", "view_id must be 16 to 64 of A-Z a-z 0-9 _ -")
	}
	event, err := c.params.NeedString("event")
	if err != nil {
		return err
	}
	if event != "view" {
		return wire.Errorf(wire.InvalidParameter, "event", "event must be view")
	}
	if err := s.see(c.r.Context(), view{seen, id, c.viewer.voter, db.Micros(time.Now())}); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

// getLoader serves embed.js to any site, also as a module and to pages that take
// only what is meant for other origins.
func getLoader(w http.ResponseWriter, r *http.Request) error {
	content, tag := embed.Loader()
	h := w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("ETag", tag)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

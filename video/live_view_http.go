package video

import (
	"errors"
	"net/http"
	"strings"

	"stoa/internal/web"
)

// liveViewRoutes are what viewers of live streams ask for. All but the page is also below
// each of a stream's tokens.
func (s *Service) liveViewRoutes() web.Routes {
	routes := web.Routes{
		"GET /live/{file}":                         s.getLiveFile,
		"GET /live/private/{token}/{file}":         s.watch(s.channels.now, s.getLiveMaster),
		"GET /live/private/{token}/{live}/session": s.getLiveSession,
	}
	for path, serve := range map[string]web.Handler{
		"air":                        s.watch(s.channels.lately, s.getAir),
		"thumbnail.jpg":              s.watch(s.channels.now, s.getLivePoster),
		"{broadcast}/{track}/{file}": s.watch(s.channels.lately, s.getTrackOfLive),
	} {
		routes["GET /live/{live}/"+path] = serve
		routes["GET /live/private/{token}/{live}/"+path] = serve
	}
	return routes
}

// getLiveFile serves what stands beside each other: playlists and pages.
func (s *Service) getLiveFile(w http.ResponseWriter, r *http.Request) error {
	if strings.HasSuffix(r.PathValue("file"), playlistSuffix) {
		return s.watch(s.channels.now, s.getLiveMaster)(w, r)
	}
	return s.getLivePage(w, r)
}

const playlistSuffix = ".m3u8"

// watching is a request of somebody who may see a live stream.
type watching struct {
	*channel
	visit
}

func (s *Service) watch(find channelFinder, serve func(*watching) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := s.serveWatcher(w, r, find, serve)
		if errors.Is(err, errNoFile) { // it may have begun since its rows were read
			err = s.serveWatcher(w, r, s.channels.now, serve)
		}
		if err != nil {
			w.Header().Set("Cache-Control", "no-store") // it may be there the next moment
		}
		return err
	}
}

func (s *Service) serveWatcher(w http.ResponseWriter, r *http.Request, find channelFinder, serve func(*watching) error) error {
	v, err := s.letWatch(w, r, find, r.PathValue("token"))
	if err != nil {
		return err
	}
	return serve(v)
}

// letWatch lets a viewer in as letIn does: with the refusal of a private stream comes
// the watching, which it has no session for.
func (s *Service) letWatch(w http.ResponseWriter, r *http.Request, find channelFinder, token string) (*watching, error) {
	if err := s.gate.check(r); err != nil {
		return nil, err
	}
	c, err := find(r.Context(), liveIDOf(r))
	if err != nil {
		return nil, err
	}
	v := &watching{c, visit{s: s, w: w, r: r, of: visited{c.id, true}}}
	if c.public {
		return v, nil
	}
	return v, v.enter(token)
}

// liveIDOf is the id in an address: of a folder, of a playlist or of a page.
func liveIDOf(r *http.Request) string {
	if id := r.PathValue("live"); id != "" {
		return id
	}
	return strings.TrimSuffix(r.PathValue("file"), playlistSuffix)
}

// getLiveSession opens a session for a viewer without cookies, as getSession does.
func (s *Service) getLiveSession(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	if err := s.gate.check(r); err != nil {
		return err
	}
	c, err := s.channels.now(r.Context(), liveIDOf(r))
	if err != nil {
		return err
	}
	v := visit{s: s, w: w, r: r, of: visited{c.id, true}}
	if err := v.enter(r.PathValue("token")); err != nil {
		return err
	}
	return v.answerSession()
}

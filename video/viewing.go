package video

import (
	"context"
	"errors"
	"net/http"

	"stoa/internal/web"
)

// viewing is a request of somebody who may see a video.
type viewing struct {
	*playback
	visit
}

// view serves what can change: as it is now.
func (s *Service) view(serve func(*viewing) error) web.Handler {
	return s.viewing(s.playbacks.now, serve)
}

// viewLately serves what never changes: whether it may still be seen is asked about
// once a second.
func (s *Service) viewLately(serve func(*viewing) error) web.Handler {
	return s.viewing(s.playbacks.lately, serve)
}

// finder is playbacks.now or playbacks.lately.
type finder func(ctx context.Context, videoID string) (*playback, error)

func (s *Service) viewing(find finder, serve func(*viewing) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := s.serveViewer(w, r, find, serve)
		if errors.Is(err, errNoFile) { // it may have been made or replaced since its row was read
			err = s.serveViewer(w, r, s.playbacks.now, serve)
		}
		if err != nil {
			w.Header().Set("Cache-Control", "no-store") // it may be there the next moment
		}
		return err
	}
}

func (s *Service) serveViewer(w http.ResponseWriter, r *http.Request, find finder, serve func(*viewing) error) error {
	v, err := s.letIn(w, r, find, r.PathValue("token"))
	if err != nil {
		return err
	}
	return serve(v)
}

// letIn lets a viewer in, if the operator has nothing against it: to a private video
// with a session, or with a token that can open one. The tokens of a public video are
// not looked at. With the refusal of a private video comes the viewing, which it has no
// session for.
func (s *Service) letIn(w http.ResponseWriter, r *http.Request, find finder, token string) (*viewing, error) {
	if err := s.gate.check(r); err != nil {
		return nil, err
	}
	p, err := find(r.Context(), r.PathValue("videoId"))
	if err != nil {
		return nil, err
	}
	v := &viewing{p, visit{s: s, w: w, r: r, of: visited{id: p.id}}}
	if p.public {
		return v, nil
	}
	return v, v.enter(token)
}

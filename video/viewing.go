package video

import (
	"context"
	"errors"
	"net/http"
	"time"

	"stoa/internal/web"
)

// viewing is a request of somebody who may see a video.
type viewing struct {
	*playback
	s       *Service
	w       http.ResponseWriter
	r       *http.Request
	session string       // of a private video
	token   privateToken // to be spent for the session; zero if that is open already
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
	v := &viewing{playback: p, s: s, w: w, r: r}
	if p.public {
		return v, nil
	}
	return v, v.enter(token)
}

func (v *viewing) enter(token string) error {
	if v.session = v.s.sessionOf(v.r, v.id); v.session != "" {
		return nil
	}
	now := time.Now()
	t, good := v.s.checkPrivateToken(token, v.id, now)
	if good {
		var err error
		if good, err = v.s.unspent(v.r.Context(), t); err != nil {
			return err
		}
	}
	if !good {
		return errNoVideo
	}
	v.token, v.session = t, v.s.newSession(v.id, now).String()
	return nil
}

// carry is the query that addresses of a private video end with.
func (v *viewing) carry() string {
	if v.session == "" {
		return ""
	}
	return "?" + sessionQuery + "=" + v.session
}

// begin is called when there is something to answer with, and before any of it is
// written: only then is a token spent. how is for how long the answer can be kept;
// that of a private video is nobody else's.
func (v *viewing) begin(how string) error {
	if v.token != (privateToken{}) && v.r.Method != http.MethodHead {
		if err := v.s.spend(v.r.Context(), v.id, v.token); err != nil {
			return err
		}
		v.s.giveSession(v.w, v.id, v.session)
	}
	if v.session != "" {
		how = "private, " + how
	}
	v.w.Header().Set("Cache-Control", how)
	return nil
}

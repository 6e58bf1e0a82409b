package whip

import (
	"context"
	"crypto/rand"
	"net/http"

	"stoa/internal/fault"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

var (
	errClosed = fault.New(fault.Unavailable, "no publisher is taken by WebRTC now: try again, or use RTMP")
	errCrowd  = fault.New(fault.Unavailable, "too many publishers are there: try again later")
)

// begin takes a publisher to the door and runs its session.
func (s *Server) begin(r *http.Request, key string, o offer) (*session, string, error) {
	s.lock.Lock()
	api, ctx := s.api, s.ctx
	s.lock.Unlock()
	if api == nil {
		return nil, "", errClosed
	}
	address := s.options.Client(r)
	leave, err := s.crowd.Enter(address)
	if err != nil {
		return nil, "", errCrowd
	}
	entering, cancel := context.WithTimeout(r.Context(), enterLimit)
	defer cancel()
	feed, err := s.options.Door.Enter(entering, key, live.Publisher{Protocol: "whip", Address: address.String()})
	if err != nil {
		leave()
		return nil, "", err
	}
	n := &session{
		id:       rand.Text(),
		fragment: o.fragment,
		feed:     feed,
		gone:     make(chan struct{}),
		patience: porter.NewPatience(s.options.Silence, s.options.Discard),
		log:      s.options.Log.With("protocol", "whip", "address", address.String(), "key", porter.Hint(key)),
	}
	answer, err := n.open(r.Context(), api, o)
	if err == nil && !s.keep(ctx, n, leave) {
		n.close()
		err = errClosed
	}
	if err != nil {
		leave()
		feed.Close()
		return nil, "", err
	}
	return n, answer, nil
}

// keep runs a session to its end, unless the server has stopped meanwhile.
func (s *Server) keep(ctx context.Context, n *session, leave func()) bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.api == nil {
		return false
	}
	s.sessions[n.id] = n
	s.running.Go(func() {
		defer leave()
		defer close(n.gone)
		n.run(ctx)
		s.lock.Lock()
		defer s.lock.Unlock()
		delete(s.sessions, n.id)
	})
	return true
}

func (s *Server) find(id string) *session {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.sessions[id]
}

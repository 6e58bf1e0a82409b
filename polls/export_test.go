package polls

import (
	"net/http"
	"time"

	"stoa/polls/limits"
)

func (s *Service) Mint() string { return s.keys.Mint(time.Now()).Reveal() }

// Welcome sets both cookies of our pages.
func (s *Service) Welcome(w http.ResponseWriter, token, anonymous string) {
	s.signIn(w, token)
	s.keepAnonymous(w, anonymous)
}

// Once is a handler that may be sent again, around any work.
func (s *Service) Once(work http.HandlerFunc) http.Handler {
	h := s.open(limits.Write, s.once(func(c *call) error {
		work(c.w, c.r)
		return nil
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.refuse(w, r, err)
		}
	})
}
func (s *Service) EmbedToken(embed int64, at time.Time) string { return s.keys.EmbedToken(embed, at) }

// Voter is how the vote of an anonymous id is kept.
func (s *Service) Voter(anonymousID string) string {
	known, _ := s.keys.Verify(anonymousID)
	return string(s.keys.AnonymousVoter(known))
}

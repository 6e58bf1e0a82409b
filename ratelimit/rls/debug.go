package rls

import (
	"fmt"
	"net/http"
)

// DebugRoutes is what the service adds to the debug port.
func (s *Service) DebugRoutes() Routes {
	live := newLive(s)
	return Routes{
		{"/explain", "why a request would pass or not, without counting: ?domain=D&descriptors=k=v,k=v, or POST a /json body", s.handle(s.explain)},
		{"/live", "what is limited right now, as a page", live.page},
		{"/live/events", "the same as a stream of JSON events", live.events},
		{"/live/live.css", "its style", live.asset("live.css")},
		{"/live/live.js", "its script", live.asset("live.js")},
		{"/rlconfig", "the limits in force", s.rlconfig},
	}
}

func (s *Service) rlconfig(w http.ResponseWriter, _ *http.Request) {
	rules := s.Limiter.Rules()
	if rules == nil {
		return
	}
	for rule := range rules.All() {
		fmt.Fprintln(w, rule)
	}
}

package polls

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls/internal/wire"
)

// base is where the API lives.
const base = "/api/v4"

// Routes is the whole HTTP surface.
func (s *Service) Routes() web.Routes {
	all := web.Routes{}
	for _, part := range []web.Routes{
		s.pollRoutes(), s.listRoutes(), s.imageRoutes(), s.voteRoutes(), s.userRoutes(), s.socialRoutes(), s.publisherRoutes(),
		s.embedRoutes(), s.storageRoutes(), s.pageRoutes(), s.docRoutes(), s.healthRoutes(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// Patterns is every route that is offered, sorted.
func Patterns() []string {
	routes := new(Service).Routes()
	maps.DeleteFunc(routes, func(_ string, h web.Handler) bool { return h == nil })
	return slices.Sorted(maps.Keys(routes))
}

// Handler is the listener for people.
func (s *Service) Handler() http.Handler {
	routes := s.Routes()
	access := web.NewAccess(web.AccessOptions{Room: Room, Environment: s.Environment, Routes: routes, Stats: s.Stats, Log: s.log})
	mux := web.NewMux(routes, web.MuxOptions{
		NotFound:         s.notFound(),
		MethodNotAllowed: wire.MethodNotAllowed,
		Error:            s.refuse,
		Matched: func(w http.ResponseWriter, r *http.Request, pattern string) {
			if pattern == pollPagePattern { // it takes everything that has no other route
				if _, ok := pollInPath(r.PathValue("poll")); !ok {
					pattern = ""
				}
			}
			access.Matched(w, r, pattern)
		},
	})
	return access.Before(wire.Headers(s.named(wire.CORS(mux))))
}

// notFound answers for every path that is not offered.
func (s *Service) notFound() http.Handler { return wire.NotFound(http.HandlerFunc(s.getNotFound)) }

// named tells callers of any environment but production which one it is.
func (s *Service) named(next http.Handler) http.Handler {
	if s.Environment == Production {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Environment", s.Environment)
		next.ServeHTTP(w, r)
	})
}

// refuse answers an error.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	s.refusal(w, r, err).Write(w)
}

// refusal is what a caller is told of an error. It logs what is our own fault.
func (s *Service) refusal(w http.ResponseWriter, r *http.Request, err error) *wire.Error {
	if db.IsUnavailable(err) || errors.Is(err, db.ErrUnknownOutcome) {
		err = fmt.Errorf("%w: %w", fault.Unavailable, err)
	}
	refusal := wire.Refuse(err)
	_, meant := errors.AsType[*wire.Error](err)
	left := errors.Is(err, context.Canceled) && r.Context().Err() != nil // there is nobody to answer
	if refusal.Code.Status() >= 500 && !meant && !left {
		s.log.Error("answer", "route", r.Pattern, "request_id", web.RequestID(w), "error", err)
	}
	return refusal
}

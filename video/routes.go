package video

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
	"stoa/video/internal/problem"
)

// Routes is the whole HTTP surface.
func (s *Service) Routes() web.Routes {
	all := web.Routes{}
	for _, part := range []web.Routes{
		s.accessRoutes(), s.healthRoutes(), s.sourceRoutes(),
		s.videoRoutes(), s.tagRoutes(), s.summaryRoutes(), s.liveStreamRoutes(),
		s.captionRoutes(), s.chapterRoutes(), s.thumbnailRoutes(), s.watermarkRoutes(),
		s.themeRoutes(), s.uploadTokenRoutes(), s.hookRoutes(),
		s.analyticsRoutes(), s.docRoutes(),
		s.playbackRoutes(), s.liveViewRoutes(), s.whipRoutes(),
	} {
		maps.Copy(all, part)
	}
	return all
}

// Patterns is every route, sorted.
func Patterns() []string { return slices.Sorted(maps.Keys(new(Service).Routes())) }

// Handler is the listener for people, players and programs.
func (s *Service) Handler() http.Handler {
	routes := s.Routes()
	access := web.NewAccess(web.AccessOptions{Room: Room, Environment: s.Environment, Routes: routes, Stats: s.Stats, Log: s.log})
	mux := web.NewMux(routes, web.MuxOptions{
		NotFound: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { problem.Write(w, problem.Unrecognized()) }),
		MethodNotAllowed: func(w http.ResponseWriter, _ *http.Request, allow string) {
			w.Header().Set("Allow", allow)
			problem.Write(w, problem.MethodNotAllowed)
		},
		Error:   s.refuse,
		Matched: access.Matched,
	})
	return access.Before(s.named(crossOrigin(mux)))
}

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

// refuse answers an error, and logs what is our own fault.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	if db.IsUnavailable(err) || errors.Is(err, db.ErrUnknownOutcome) {
		err = fmt.Errorf("%w: %w", fault.Unavailable, err)
	}
	status := problem.Write(w, err)
	left := errors.Is(err, context.Canceled) && r.Context().Err() != nil // there is nobody to answer
	if status >= 500 && !left {
		s.log.Error("answer", "route", r.Pattern, "request_id", web.RequestID(w), "error", err)
	}
}

// EndStreams is for servers that end: lists of live streams wait for what comes next.
func (s *Service) EndStreams() { s.waits.end() }

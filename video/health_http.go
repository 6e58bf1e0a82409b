package video

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"stoa/internal/health"
	"stoa/internal/web"
)

// healthRoutes are for who watches over the service.
func (s *Service) healthRoutes() web.Routes {
	return web.Routes{
		"GET /healthz": func(w http.ResponseWriter, _ *http.Request) error { return plain(w, http.StatusOK, "OK") },
		"GET /readyz": func(w http.ResponseWriter, r *http.Request) error {
			parts := s.Health(r.Context())
			if !health.Ready(parts) {
				s.log.Warn("not ready", "parts", parts)
			}
			health.Answer(w, r, health.Public(parts), http.StatusServiceUnavailable)
			return nil
		},
	}
}

func plain(w http.ResponseWriter, status int, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, err := fmt.Fprintln(w, text)
	return err
}

// newHealth looks at what the videos stand on. What is there already can be watched
// without an encoder.
func (s *Service) newHealth() *health.Room {
	return health.NewRoom(s.Environment, Room,
		health.Check{Name: "database", Failed: health.Down, Reason: "the database does not answer", Look: s.db.Check},
		health.Check{Name: "files", Failed: health.Degraded, Reason: "media cannot be stored or served", Look: s.checkFiles},
		health.Check{Name: "encoder", Failed: health.Degraded, Reason: "uploads wait until something can encode them", Look: s.findEncoder})
}

// findEncoder is content where encoding is left to other machines.
func (s *Service) findEncoder(context.Context) error {
	if s.ffmpeg == nil && s.EncodersHere() > 0 {
		return errors.New("ffmpeg is not on this machine: apt-get install ffmpeg, or run stoa work where it is")
	}
	return nil
}

func (s *Service) checkFiles(ctx context.Context) error { return s.Blobs.Check(ctx) }

// Health tells how everything is that the videos stand on.
func (s *Service) Health(ctx context.Context) []health.Part { return s.parts.Parts(ctx) }

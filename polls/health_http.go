package polls

import (
	"context"
	"io"
	"net/http"

	"stoa/internal/health"
	"stoa/internal/web"
)

func (s *Service) healthRoutes() web.Routes {
	return web.Routes{
		"GET /healthz": func(w http.ResponseWriter, _ *http.Request) error { return well(w) },
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

func well(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, "OK")
	return nil
}

// newHealth looks at what the polls stand on. Most that people do needs no files.
func (s *Service) newHealth() *health.Room {
	return health.NewRoom(s.Environment, Room,
		health.Check{Name: "database", Failed: health.Down, Reason: "the database does not answer", Look: s.db.Check},
		health.Check{Name: "files", Failed: health.Degraded, Reason: "pictures cannot be stored or shown", Look: s.checkFiles})
}

func (s *Service) checkFiles(ctx context.Context) error { return s.Blobs.Check(ctx) }

// Health tells how everything is that the polls stand on.
func (s *Service) Health(ctx context.Context) []health.Part { return s.parts.Parts(ctx) }

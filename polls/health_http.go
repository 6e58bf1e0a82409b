package polls

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"stoa/internal/fault"
	"stoa/internal/web"
)

// readyTime is how long the database may take to answer.
const readyTime = 2 * time.Second

func (s *Service) healthRoutes() web.Routes {
	return web.Routes{
		"GET /healthz": func(w http.ResponseWriter, _ *http.Request) error { return well(w) },
		"GET /readyz": func(w http.ResponseWriter, r *http.Request) error {
			if err := s.Ready(r.Context()); err != nil {
				s.log.Warn("not ready", "error", err)
				http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
				return nil
			}
			return well(w)
		},
	}
}

func well(w http.ResponseWriter) error {
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, "OK")
	return nil
}

// Ready tells whether the database answers.
func (s *Service) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	var one int
	if err := s.db.QueryRow(ctx, "SELECT 1").Scan(&one); err != nil {
		return fmt.Errorf("%w: the database of %s: %w", fault.Unavailable, s.Environment, err)
	}
	return nil
}

package video

import (
	"context"
	"io"
	"net/http"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/webhook"
)

// QualityCompleted is the event of a rendition that can be played.
func QualityCompleted(videoID, quality string) webhook.Event {
	return webhook.Event{Type: webhook.QualityCompleted, VideoID: videoID, Encoding: "hls", Quality: quality}
}

// Emit has an event of a project told, in a transaction of its own.
func (s *Service) Emit(ctx context.Context, project string, e webhook.Event) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error { return s.emit(ctx, tx, project, e) })
}

// Deliver is one turn of the job that delivers an event.
func (s *Service) Deliver(ctx context.Context, id string) error {
	return s.deliver(ctx, deliveryArgs{id})
}

// Sweep is one turn of the job that removes what has had its time.
func (s *Service) Sweep(ctx context.Context) error { return s.sweep(ctx, sweepArgs{}) }

// SetHookTimeout is for receivers that never answer.
func (s *Service) SetHookTimeout(d time.Duration) { s.hooks.Timeout = d }

// TokenMadeAt is a private token of a video, made at some time.
func (s *Service) TokenMadeAt(videoID string, made time.Time) string {
	return s.newPrivateToken(videoID, made).String()
}

// SessionOpenedAt is a session of a private video, opened at some time.
func (s *Service) SessionOpenedAt(videoID string, opened time.Time) string {
	return s.newSession(videoID, opened).String()
}

// NewDirectWriter is what media are written with.
func NewDirectWriter(w http.ResponseWriter) io.Writer { return directWriter{w} }

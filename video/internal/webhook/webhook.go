// Package webhook is what a webhook receives: an event as JSON, and the proof
// that it comes from here.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Types of events.
const (
	QualityCompleted = "video.encoding.quality.completed"
	SourceRecorded   = "video.source.recorded"
	BroadcastStarted = "live-stream.broadcast.started"
	BroadcastEnded   = "live-stream.broadcast.ended"
	captionGenerated = "video.caption.generated"
	summaryGenerated = "video.summary.generated"
	headerID         = "X-Api-Video-WebhookID"
	headerSignature  = "X-Api-Video-Signature"
)

// Types is every type that a webhook may ask for. Those of captions and summaries
// made from speech never happen here.
var Types = []string{QualityCompleted, SourceRecorded, BroadcastStarted, BroadcastEnded, captionGenerated, summaryGenerated}

// Known tells whether a webhook may ask for events of a type.
func Known(eventType string) bool { return slices.Contains(Types, eventType) }

// Event is something that happened. Fields that do not belong to its type are
// empty.
type Event struct {
	Type         string
	EmittedAt    time.Time
	VideoID      string
	LiveStreamID string
	Encoding     string // "hls" or "mp4"
	Quality      string // such as "720p"
}

// Body is the event as it is sent and signed.
func (e Event) Body() []byte {
	body, err := json.Marshal(struct {
		Type         string `json:"type"`
		EmittedAt    string `json:"emittedAt"`
		VideoID      string `json:"videoId,omitempty"`
		LiveStreamID string `json:"liveStreamId,omitempty"`
		Encoding     string `json:"encoding,omitempty"`
		Quality      string `json:"quality,omitempty"`
	}{e.Type, e.EmittedAt.UTC().Format("2006-01-02T15:04:05-07:00"), e.VideoID, e.LiveStreamID, e.Encoding, e.Quality})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	return body
}

// NewRequest is the request that delivers a body to a webhook, signed with its
// secret.
func NewRequest(ctx context.Context, address, webhookID, secret string, body []byte) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("deliver to webhook: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(headerID, webhookID)
	r.Header.Set(headerSignature, sign(secret, body))
	return r, nil
}

// sign is the HMAC-SHA256 of a body, in hex.
func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

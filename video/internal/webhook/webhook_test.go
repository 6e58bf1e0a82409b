package webhook_test

import (
	"io"
	"testing"
	"time"

	"stoa/video/internal/webhook"
)

func TestBodies(t *testing.T) {
	t.Parallel()
	at := time.Date(2024, 5, 28, 13, 15, 7, 9e8, time.FixedZone("", 7200))
	for want, event := range map[string]webhook.Event{
		`{"type":"video.encoding.quality.completed","emittedAt":"2024-05-28T11:15:07+00:00","videoId":"vi1","encoding":"hls","quality":"720p"}`: {
			Type: webhook.QualityCompleted, EmittedAt: at, VideoID: "vi1", Encoding: "hls", Quality: "720p",
		},
		`{"type":"live-stream.broadcast.started","emittedAt":"2024-05-28T11:15:07+00:00","liveStreamId":"li1"}`: {
			Type: webhook.BroadcastStarted, EmittedAt: at, LiveStreamID: "li1",
		},
	} {
		if got := string(event.Body()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The signature is that of openssl dgst -sha256 -hmac sig_sec_key.
func TestRequestsAreSigned(t *testing.T) {
	t.Parallel()
	const body = `{"type":"x","emittedAt":"2024-05-28T11:15:07+00:00"}`
	r, err := webhook.NewRequest(t.Context(), "https://example.com/hook?a=b", "webhook_1", "sig_sec_key", []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	sent, err := io.ReadAll(r.Body)
	if err != nil || string(sent) != body || r.ContentLength != int64(len(body)) || r.Method != "POST" {
		t.Errorf("got %s %q (%v), want the exact body posted", r.Method, sent, err)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Api-Video-WebhookID": "webhook_1",
		"X-Api-Video-Signature": "f8c9294ee0b9a3617a24a515a65c4b875180f2fc6ae056e498619ef0772cd1fa",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("got %s %q, want %q", name, got, want)
		}
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	for eventType, want := range map[string]bool{
		"video.encoding.quality.completed": true, "video.source.recorded": true, "live-stream.broadcast.started": true,
		"live-stream.broadcast.ended": true, "video.caption.generated": true, "video.summary.generated": true,
		"": false, "video.encoding.failed": false, "*": false,
	} {
		if got := webhook.Known(eventType); got != want {
			t.Errorf("%q: got %v, want %v", eventType, got, want)
		}
	}
}

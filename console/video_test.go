package console_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
)

// postVideo makes something through the video API, and answers what it has by a name.
func (k *desk) postVideo(path, contentType, body, name string) string {
	k.t.Helper()
	token, _ := k.ask("POST", "/video/access", `{"project":"default"}`).object()["token"].(string)
	r, w := httptest.NewRequestWithContext(k.t.Context(), "POST", path, strings.NewReader(body)), httptest.NewRecorder()
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", contentType)
	k.video.Handler().ServeHTTP(w, r)
	var made object
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || made[name] == nil {
		k.t.Fatalf("got %d %s, want something with a %s", w.Code, w.Body, name)
	}
	return made[name].(string)
}

// logDelivery puts one that is over into the log.
func logDelivery(t testing.TB, d *db.DB, hook string, n int, problem string) (id string) {
	t.Helper()
	id = fmt.Sprintf("%022d", n)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO video_deliveries (id, webhook_id, event, body, tries, status, problem, took, done, created_at, updated_at)
			VALUES ($1, $2, 'video.source.recorded', '{"type":"video.source.recorded"}', 4, 500, $3, 1500, TRUE, $4, $4)`,
			id, hook, problem, db.Micros(time.Now().Add(-time.Minute)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestDeliveriesOfAWebhookAreShownAndSentAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		hook := k.postVideo("/webhooks", "application/json", `{"url":"https://example.com/hook","events":["video.source.recorded"]}`, "webhookId")
		place := "/video/webhooks/" + hook + "/deliveries"
		if got := k.ask("GET", place, "").object(); len(got["deliveries"].([]any)) > 0 || got["next"] != "" {
			t.Errorf("got %v, want nothing yet", got)
		}
		failed := logDelivery(t, d, hook, 0, "the answer was 500")
		for n := range 25 {
			logDelivery(t, d, hook, n+1, "")
		}
		first := k.ask("GET", place, "").object()
		rest := k.ask("GET", place+"?after="+first["next"].(string), "").object()
		if a, b := len(first["deliveries"].([]any)), len(rest["deliveries"].([]any)); a != 25 || b != 1 || rest["next"] != "" {
			t.Errorf("got %d and %d, want 25 and 1", a, b)
		}
		only := k.ask("GET", place+"?state=failed", "").object()["deliveries"].([]any)
		if len(only) != 1 || only[0].(object)["id"] != failed || only[0].(object)["tookMs"] != 1.0 || only[0].(object)["state"] != "failed" {
			t.Errorf("got %v, want the one that failed", only)
		}

		again := k.ask("POST", place+"/"+failed+"/resend", "").object()
		if again["again"] != true || again["state"] != "waiting" || again["body"] != `{"type":"video.source.recorded"}` {
			t.Errorf("got %v, want the same event to be sent", again)
		}
		newest := k.ask("GET", place, "").object()["deliveries"].([]any)[0].(object)
		if newest["id"] != again["id"] {
			t.Errorf("got %v, want the new one in the log", newest)
		}
		k.ask("POST", place+"/"+again["id"].(string)+"/resend", "").refused(400, "invalid")
		k.ask("POST", place+"/nothing/resend", "").refused(404, "not_found")
		k.ask("GET", place+"?state=lost", "").refused(400, "invalid")
		k.ask("GET", strings.Replace(place, "webhook_", "", 1), "").refused(404, "not_found")
	})
}

// postWatermark makes a watermark of 30 by 20 points.
func (k *desk) postWatermark() (id string) {
	k.t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, _ := w.CreateFormFile("file", "mark.png")
	if err := png.Encode(part, image.NewNRGBA(image.Rect(0, 0, 30, 20))); err != nil {
		k.t.Fatal(err)
	}
	w.Close()
	return k.postVideo("/watermarks", w.FormDataContentType(), form.String(), "watermarkId")
}

func TestWatermarksHaveAPicture(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		id := k.postWatermark()
		got := k.ask("GET", "/video/watermarks/"+id+"/picture", "")
		if picture, err := png.Decode(bytes.NewReader(got.body)); err != nil || picture.Bounds().Dx() != 30 {
			t.Errorf("got %d %v, want the picture", got.status, err)
		}
		k.ask("GET", "/video/watermarks/nothing/picture", "").refused(404, "not_found")
		k.ask("GET", "/video/watermarks/watermark_0123456789012345678901/picture", "").refused(404, "not_found")
	})
}

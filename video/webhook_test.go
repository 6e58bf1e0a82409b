package video_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

const (
	qualityEvent = "video.encoding.quality.completed"
	startedEvent = "live-stream.broadcast.started"
)

func (s *site) newHook(address string, events ...string) object {
	s.t.Helper()
	return s.call("POST", "/webhooks", object{"url": address, "events": events}).want(201)
}

func TestWebhooksAreMadeAndListed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		first := s.newHook("https://example.com/a", startedEvent, qualityEvent, startedEvent)
		second := s.newHook("http://example.com:8080/b?c=d", "video.summary.generated")
		if got, want := first["events"], []any{startedEvent, qualityEvent}; !reflect.DeepEqual(got, want) {
			t.Errorf("got events %v want %v", got, want)
		}
		wantField(t, second, "url", "http://example.com:8080/b?c=d")
		for _, want := range []object{first, second} {
			for name, form := range map[string]string{"webhookId": `^webhook_[0-9A-Za-z]{22}$`, "signatureSecret": `^sig_sec_[0-9A-Za-z]{22}$`} {
				if !regexp.MustCompile(form).MatchString(want[name].(string)) {
					t.Errorf("%s: got %v want %s", name, want[name], form)
				}
			}
			if got := s.call("GET", "/webhooks/"+want["webhookId"].(string), nil).want(200); !reflect.DeepEqual(got, want) {
				t.Errorf("got %v want %v", got, want)
			}
		}
		for query, want := range map[string][]object{
			"":                                {second, first},
			"?events=" + qualityEvent:         {first},
			"?events=video.caption.generated": nil,
			"?currentPage=2&pageSize=1":       {first},
			"?events=" + startedEvent + "&pageSize=1": {first},
		} {
			if got := s.call("GET", "/webhooks"+query, nil).items(); !reflect.DeepEqual(got, want) {
				t.Errorf("%q: got %v want %v", query, got, want)
			}
		}
		s.call("GET", "/webhooks?events=nothing", nil).refused(400, "request-invalid-query-parameter", "events")
		path := "/webhooks/" + first["webhookId"].(string)
		s.call("PATCH", path, object{}).refused(405, "method-not-allowed", "")
		s.call("DELETE", path, nil).want(204)
		s.call("DELETE", path, nil).refused(404, "resource-not-found", "webhookId")
		s.call("GET", path, nil).refused(404, "resource-not-found", "webhookId")
	})
}

func TestWebhooksThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		const address = "https://example.com/"
		for _, test := range []struct {
			events, url any
			kind, name  string
		}{
			{nil, address, "attribute-required", "events"},
			{[]string{}, address, "invalid-attribute", "events"},
			{qualityEvent, address, "invalid-attribute", "events"},
			{[]any{1}, address, "invalid-attribute", "events"},
			{[]string{qualityEvent, "video.failed"}, address, "invalid-attribute", "events[1]"},
			{[]string{qualityEvent}, nil, "attribute-required", "url"},
			{[]string{qualityEvent}, 1, "invalid-attribute", "url"},
			{[]string{qualityEvent}, "", "invalid-attribute", "url"},
			{[]string{qualityEvent}, "ftp://example.com/", "invalid-attribute", "url"},
			{[]string{qualityEvent}, "example.com", "invalid-attribute", "url"},
			{[]string{qualityEvent}, "http://a\x00b/", "invalid-attribute", "url"},
			{[]string{qualityEvent}, address + strings.Repeat("x", 2048), "invalid-attribute", "url"},
		} {
			s.call("POST", "/webhooks", object{"events": test.events, "url": test.url}).refused(400, test.kind, test.name)
		}
		if got := s.call("POST", "/webhooks", object{}).want(400)["problems"].([]any); len(got) != 2 {
			t.Errorf("got %v want both problems", got)
		}
		both := s.call("POST", "/webhooks", object{"events": []string{"video.failed", qualityEvent, "video.playable"}, "url": address}).want(400)
		if got, want := problemNames(both), []string{"events[0]", "events[2]"}; !slices.Equal(got, want) {
			t.Errorf("got problems with %q want %q", got, want)
		}
		many := s.call("POST", "/webhooks", object{"events": make([]string, 1000), "url": address}).want(400)
		if got := problemNames(many); !slices.Equal(got, []string{"events"}) {
			t.Errorf("got %d problems want one with the list", len(got))
		}
		path, other := "/webhooks/"+s.newHook(address, qualityEvent)["webhookId"].(string), s.newKey("other", "other")
		s.callAs(other, "GET", path, nil).refused(404, "resource-not-found", "webhookId")
		s.callAs(other, "DELETE", path, nil).refused(404, "resource-not-found", "webhookId")
		if got := s.callAs(other, "GET", "/webhooks", nil).items(); len(got) > 0 {
			t.Errorf("got %v want nothing of another project", got)
		}
		s.call("GET", path, nil).want(200)
	})
}

func TestAProjectHasSoManyWebhooks(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for i := range 50 {
			s.newHook(fmt.Sprintf("https://example.com/%d", i), qualityEvent)
		}
		s.call("POST", "/webhooks", object{"url": "https://example.com/", "events": []string{qualityEvent}}).
			refused(400, "webhook-limit-reached", "")
		other := s.newKey("other", "other")
		s.callAs(other, "POST", "/webhooks", object{"url": "https://example.com/", "events": []string{qualityEvent}}).want(201)
	})
}

func TestSecretsOfWebhooksAreSealed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		secret := s.newHook("https://example.com/", qualityEvent)["signatureSecret"].(string)
		var sealed []byte
		if err := d.QueryRow(t.Context(), `SELECT sealed FROM video_webhooks`).Scan(&sealed); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(sealed), secret) || len(sealed) == 0 {
			t.Errorf("got %q in the database, want the secret unreadable", sealed)
		}
	})
}

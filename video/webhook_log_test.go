package video_test

import (
	"errors"
	"testing"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/video"
)

// log is the whole log of a webhook, in pages of two.
func (s *site) log(webhookID, state string) (all []video.Delivery) {
	s.t.Helper()
	q := video.LogQuery{State: state, Limit: 2}
	for {
		page, err := s.Deliveries(s.t.Context(), webhookID, q)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, page...)
		if len(page) < q.Limit {
			return all
		}
		q.After = page[len(page)-1].ID
	}
}

func (s *site) tell(quality string) {
	s.t.Helper()
	if err := s.Emit(s.t.Context(), video.DefaultProject, video.QualityCompleted("vi1", quality)); err != nil {
		s.t.Fatal(err)
	}
}

// deliverAll makes one try of each delivery.
func (s *site) deliverAll(webhookID string) {
	s.t.Helper()
	for _, d := range s.log(webhookID, "") {
		if err := s.Deliver(s.t.Context(), d.ID); err != nil && !errors.Is(err, again) {
			s.t.Fatal(err)
		}
	}
}

func TestTheLogOfAWebhookHasItsDeliveriesNewestFirst(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		r := answering(t, 500, 204)
		hook := s.newHook(r.url, qualityEvent)["webhookId"].(string)
		s.newHook("https://example.com/other", qualityEvent)
		for _, quality := range []string{"240p", "360p", "480p", "720p", "1080p"} {
			s.tell(quality)
		}
		log := s.log(hook, "")
		if len(log) != 5 {
			t.Fatalf("got %d deliveries want 5", len(log))
		}
		for i, d := range log {
			if i > 0 && d.Created.After(log[i-1].Created) {
				t.Errorf("got %v after %v want the newest first", d.Created, log[i-1].Created)
			}
		}
		first := log[0]
		if err := s.Deliver(t.Context(), first.ID); !errors.Is(err, again) { // the receiver refuses it
			t.Fatalf("got %v want another try", err)
		}
		if got := s.log(hook, "waiting"); len(got) != 5 || got[0].Tries != 1 || got[0].Status != 500 || got[0].Problem == "" || got[0].Took <= 0 {
			t.Errorf("got %+v want five that wait, the first tried once", got)
		}
		s.deliverAll(hook)
		if got := s.log(hook, "delivered"); len(got) != 5 || got[0].Tries != 2 || got[0].Status != 204 || got[0].Body != first.Body || got[0].Event != qualityEvent {
			t.Errorf("got %+v want all delivered", got)
		}
		if got := s.log(hook, "failed"); len(got) > 0 {
			t.Errorf("got %+v want none given up", got)
		}
	})
}

func TestADeliveryIsMadeOnceMore(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		r := answering(t, 500, 500, 500, 500, 200)
		hook := s.newHook(r.url, qualityEvent)["webhookId"].(string)
		s.tell("720p")
		old := s.log(hook, "")[0]
		if _, err := s.SendAgain(t.Context(), hook, old.ID); !errors.Is(err, fault.Invalid) {
			t.Errorf("got %v want a refusal while it is tried by itself", err)
		}
		for range 4 {
			s.deliverAll(hook)
		}
		fresh, err := s.SendAgain(t.Context(), hook, old.ID)
		if err != nil {
			t.Fatal(err)
		}
		s.deliverAll(hook)
		for range 4 {
			<-r.got
		}
		if got := <-r.got; string(got.body) != old.Body || len(r.got) > 0 {
			t.Errorf("got %s want the same body once", got.body)
		}
		log := s.log(hook, "")
		if len(log) != 2 || log[0].ID != fresh.ID || !log[0].Again || log[0].Status != 200 || log[1].Status != 500 || log[1].Again {
			t.Errorf("got %+v want the new one delivered, and the old one as it was", log)
		}
	})
}

func TestFewDeliveriesWaitToBeMadeOnceMore(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		hook := s.newHook("https://example.com/", qualityEvent)["webhookId"].(string)
		s.tell("720p")
		exec(t, d, `UPDATE video_deliveries SET done = TRUE`)
		old := s.log(hook, "")[0].ID
		for i := range 21 {
			if _, err := s.SendAgain(t.Context(), hook, old); (err != nil) != (i == 20) || err != nil && !errors.Is(err, fault.Invalid) {
				t.Errorf("%d: got %v want only the last refused", i, err)
			}
		}
	})
}

func TestALogThatIsNotThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		hook := s.newHook("https://example.com/", qualityEvent)["webhookId"].(string)
		other := s.newHook("https://example.com/other", startedEvent)["webhookId"].(string)
		s.tell("720p")
		id := s.log(hook, "")[0].ID
		for _, c := range []struct {
			hook, delivery string
			want           error
		}{
			{"webhook_0123456789012345678901", id, fault.NotFound}, {"nonsense", id, fault.NotFound}, {other, id, fault.NotFound},
			{hook, "nonsense", fault.NotFound}, {hook, "0123456789012345678901", fault.NotFound},
		} {
			if _, err := s.SendAgain(t.Context(), c.hook, c.delivery); !errors.Is(err, c.want) {
				t.Errorf("%s/%s: got %v want %v", c.hook, c.delivery, err, c.want)
			}
			if _, err := s.Deliveries(t.Context(), c.hook, video.LogQuery{After: c.delivery, Limit: 1}); !errors.Is(err, c.want) {
				t.Errorf("%s after %s: got %v want %v", c.hook, c.delivery, err, c.want)
			}
		}
		if _, err := s.Deliveries(t.Context(), hook, video.LogQuery{State: "lost", Limit: 1}); !errors.Is(err, fault.Invalid) {
			t.Errorf("got %v want a refusal of a state that is none", err)
		}
	})
}

package video_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/internal/jobs"
	"stoa/video"
	"stoa/video/internal/webhook"
)

// openPlace may be called by tests, beside public addresses. It is this machine by
// another name.
const openPlace = "127.0.0.2"

func withOpenPlace(o *video.Options) {
	o.Egress = egress.New([]netip.Prefix{netip.MustParsePrefix(openPlace + "/32")})
}

// receiver is somebody who is told of events.
type receiver struct {
	url string
	got chan *received // has room for all
}

type received struct {
	header http.Header
	body   []byte
}

// newReceiver answers at an address of this machine.
func newReceiver(t *testing.T, host string, answer http.HandlerFunc) *receiver {
	t.Helper()
	listener, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{got: make(chan *received, 100)}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || request.Method != "POST" {
			t.Errorf("got %s (%v) want a POST", request.Method, err)
		}
		r.got <- &received{request.Header, body}
		answer(w, request)
	}))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

// answering is a receiver that answers with one status after the other, and then
// always with the last.
func answering(t *testing.T, statuses ...int) *receiver {
	next := make(chan int, len(statuses))
	for _, status := range statuses {
		next <- status
	}
	return newReceiver(t, openPlace, func(w http.ResponseWriter, _ *http.Request) {
		status := statuses[len(statuses)-1]
		select {
		case status = <-next:
		default:
		}
		w.WriteHeader(status)
	})
}

// emit tells of a rendition of a video, and returns the delivery to the only webhook.
func (s *site) emit(d *db.DB) (id string) {
	s.t.Helper()
	if err := s.Emit(s.t.Context(), video.DefaultProject, video.QualityCompleted("vi1", "720p")); err != nil {
		s.t.Fatal(err)
	}
	if err := d.QueryRow(s.t.Context(), `SELECT id FROM video_deliveries`).Scan(&id); err != nil {
		s.t.Fatal(err)
	}
	return id
}

// outcome is what the log says of a delivery.
type outcome struct {
	tries, status int
	problem       string
	done          bool
}

func outcomeOf(t testing.TB, d *db.DB, id string) (o outcome) {
	t.Helper()
	err := d.QueryRow(t.Context(), `SELECT tries, status, problem, done FROM video_deliveries WHERE id = $1`, id).
		Scan(&o.tries, &o.status, &o.problem, &o.done)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// again is what the job returns when it wants to try once more.
var again = jobs.Snooze(3 * time.Second)

func TestAnEventIsDeliveredByAJob(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace, func(o *video.Options) {
			o.Queue = jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond, Grace: time.Minute}) // a job that was begun ends
		})
		r := answering(t, 204)
		hook := s.newHook(r.url+"/hook?a=b", qualityEvent, startedEvent)
		deaf := newReceiver(t, openPlace, func(http.ResponseWriter, *http.Request) {})
		s.newHook(deaf.url, startedEvent)
		other := s.newKey("other", "other")
		s.callAs(other, "POST", "/webhooks", object{"url": deaf.url, "events": []string{qualityEvent}}).want(201)

		id := s.emit(d)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Queue.Run(ctx) }()
		got := <-r.got
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}

		mac := hmac.New(sha256.New, []byte(hook["signatureSecret"].(string)))
		mac.Write(got.body)
		for name, want := range map[string]string{
			"X-Api-Video-Webhookid": hook["webhookId"].(string), "X-Api-Video-Signature": hex.EncodeToString(mac.Sum(nil)),
			"Content-Type": "application/json",
		} {
			if got := got.header.Get(name); got != want {
				t.Errorf("%s: got %q want %q", name, got, want)
			}
		}
		var event object
		if err := json.Unmarshal(got.body, &event); err != nil {
			t.Fatal(err)
		}
		if at, err := time.Parse("2006-01-02T15:04:05-07:00", event["emittedAt"].(string)); err != nil || time.Since(at) > time.Hour {
			t.Errorf("got %v want the moment of the event", event["emittedAt"])
		}
		for name, want := range map[string]string{"type": qualityEvent, "videoId": "vi1", "encoding": "hls", "quality": "720p"} {
			wantField(t, event, name, want)
		}
		if got, want := outcomeOf(t, d, id), (outcome{1, 204, "", true}); got != want {
			t.Errorf("got %+v want %+v", got, want)
		}
		if len(deaf.got)+len(r.got) > 0 {
			t.Error("got more deliveries, want those who asked told, once")
		}
	})
}

func TestAReceiverThatFailsTwice(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		r := answering(t, 500, 404, 200)
		s.newHook(r.url, qualityEvent)
		id := s.emit(d)
		for i, want := range []struct {
			err    error
			status int
			done   bool
		}{{again, 500, false}, {again, 404, false}, {nil, 200, true}, {nil, 200, true}} {
			if err := s.Deliver(t.Context(), id); !errors.Is(err, want.err) {
				t.Errorf("try %d: got %v want %v", i+1, err, want.err)
			}
			got := outcomeOf(t, d, id)
			if got.tries != min(i+1, 3) || got.status != want.status || got.done != want.done || (got.problem == "") != want.done {
				t.Errorf("try %d: got %+v want %+v", i+1, got, want)
			}
		}
		if len(r.got) != 3 {
			t.Errorf("got %d requests want 3", len(r.got))
		}
		if first, second := <-r.got, <-r.got; string(first.body) != string(second.body) {
			t.Errorf("got %s and then %s, want the same", first.body, second.body)
		}
	})
}

func TestAReceiverThatNeverTakesIt(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		r := answering(t, 300)
		s.newHook(r.url, qualityEvent)
		id := s.emit(d)
		for try := range 6 {
			want := again
			if try >= 3 {
				want = nil
			}
			if err := s.Deliver(t.Context(), id); !errors.Is(err, want) {
				t.Errorf("try %d: got %v want %v", try+1, err, want)
			}
		}
		if got := outcomeOf(t, d, id); got.tries != 4 || got.status != 300 || !got.done || got.problem == "" || len(r.got) != 4 {
			t.Errorf("got %+v and %d requests, want four tries and no more", got, len(r.got))
		}
	})
}

func TestAReceiverThatHangs(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		over := make(chan struct{})
		r := newReceiver(t, openPlace, func(_ http.ResponseWriter, request *http.Request) {
			select {
			case <-over:
			case <-request.Context().Done():
			}
		})
		defer close(over)
		s.newHook(r.url, qualityEvent)
		id := s.emit(d)
		s.SetHookTimeout(50 * time.Millisecond)
		if err := s.Deliver(t.Context(), id); !errors.Is(err, again) {
			t.Errorf("got %v want another try", err)
		}
		if got := outcomeOf(t, d, id); got.tries != 1 || got.status != 0 || got.done || got.problem == "" {
			t.Errorf("got %+v want a try without an answer", got)
		}
	})
}

// mute is a receiver that answers to nobody before open is called, and counts who waits.
type mute struct {
	*receiver
	waiting, most atomic.Int32
	open          func()
}

func newMute(t *testing.T) *mute {
	opened := make(chan struct{})
	r := &mute{open: sync.OnceFunc(func() { close(opened) })}
	r.receiver = newReceiver(t, openPlace, func(_ http.ResponseWriter, request *http.Request) {
		now := r.waiting.Add(1)
		for most := r.most.Load(); now > most && !r.most.CompareAndSwap(most, now); most = r.most.Load() {
		}
		select {
		case <-opened:
		case <-request.Context().Done():
		}
		r.waiting.Add(-1)
	})
	t.Cleanup(r.open)
	return r
}

// wantAllOnce waits until so many deliveries are made, all of them at the first try.
func (r *mute) wantAllOnce(t *testing.T, d *db.DB, deliveries int) {
	t.Helper()
	until(t, "the deliveries", func() bool { return len(r.got) >= deliveries })
	until(t, "their log", func() bool {
		var undone int
		err := d.QueryRow(t.Context(), `SELECT count(*) FROM video_deliveries WHERE NOT done`).Scan(&undone)
		return err == nil && undone == 0
	})
	var others int
	if err := d.QueryRow(t.Context(), `SELECT count(*) FROM video_deliveries WHERE tries <> 1 OR problem <> ''`).Scan(&others); err != nil || others > 0 || len(r.got) != deliveries {
		t.Errorf("got %d requests and %d deliveries (%v) with another try, want %d and none", len(r.got), others, err, deliveries)
	}
}

// withHookPlaces works as many deliveries at once as a real process.
func withHookPlaces(d *db.DB) func(*video.Options) {
	return func(o *video.Options) {
		o.Queue = jobs.New(d, jobs.Options{Poll: 20 * time.Millisecond, Workers: map[string]int{video.HookLane: video.HookPlaces}})
	}
}

func TestDeadReceiversHoldUpNoOtherProject(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace, withHookPlaces(d))
		dead, alive := newMute(t), answering(t, 200)
		for range 40 {
			s.newHook(dead.url, qualityEvent)
		}
		other := s.newKey("other", "other")
		s.callAs(other, "POST", "/webhooks", object{"url": alive.url, "events": []string{qualityEvent}}).want(201)
		s.emitTo(video.DefaultProject)
		(&studio{site: s}).work()
		until(t, "what hangs", func() bool { return dead.waiting.Load() >= 8 })
		s.emitTo("other")
		select {
		case <-alive.got:
		case <-time.After(5 * time.Second): // half of what a try may take
			t.Error("got nothing in 5 s, want it delivered beside those that hang")
		}
		dead.open()
		dead.wantAllOnce(t, d, 40)
		if most := dead.most.Load(); most > video.HookPlaces/2 {
			t.Errorf("got %d calls of a project at once, want at most half of the places", most)
		}
	})
}

func TestADeadReceiverLeavesPlaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace, withHookPlaces(d))
		dead, alive := newMute(t), answering(t, 200)
		s.newHook(dead.url, qualityEvent)
		for range 20 {
			s.emitTo(video.DefaultProject)
		}
		(&studio{site: s}).work()
		until(t, "what hangs", func() bool { return dead.waiting.Load() >= 4 })
		s.newHook(alive.url, startedEvent)
		if err := s.Emit(t.Context(), video.DefaultProject, webhook.Event{Type: startedEvent}); err != nil {
			t.Fatal(err)
		}
		<-alive.got
		dead.open()
		dead.wantAllOnce(t, d, 20)
		if most := dead.most.Load(); most > 4 {
			t.Errorf("got %d calls at once, want at most 4", most)
		}
	})
}

// emitTo tells the webhooks of a project of a rendition.
func (s *site) emitTo(project string) {
	s.t.Helper()
	if err := s.Emit(s.t.Context(), project, video.QualityCompleted("vi1", "720p")); err != nil {
		s.t.Fatal(err)
	}
}

// A process that stops has not tried.
func TestATryThatIsCutOffDoesNotCount(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		ctx, stop := context.WithCancel(t.Context())
		r := newReceiver(t, openPlace, func(_ http.ResponseWriter, request *http.Request) {
			stop()
			<-request.Context().Done()
		})
		s.newHook(r.url, qualityEvent)
		id := s.emit(d)
		if err := s.Deliver(ctx, id); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v want the end of the context", err)
		}
		if got := outcomeOf(t, d, id); got != (outcome{}) {
			t.Errorf("got %+v want nothing counted", got)
		}
	})
}

func TestForbiddenAddressesAreNeverCalled(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, withOpenPlace)
		secret := newReceiver(t, "127.0.0.1", func(http.ResponseWriter, *http.Request) {})
		leading := newReceiver(t, openPlace, func(w http.ResponseWriter, request *http.Request) {
			http.Redirect(w, request, secret.url, http.StatusTemporaryRedirect)
		})
		for address, want := range map[string]int{
			secret.url:  0,
			leading.url: http.StatusTemporaryRedirect,
			strings.Replace(secret.url, "127.0.0.1", "localhost", 1): 0,
		} {
			hook := s.newHook(address+"?key=hidden", qualityEvent)
			id := s.emit(d)
			if err := s.Deliver(t.Context(), id); !errors.Is(err, again) {
				t.Errorf("%s: got %v want a failure", address, err)
			}
			if got := outcomeOf(t, d, id); got.status != want || got.problem == "" || strings.Contains(got.problem, "hidden") {
				t.Errorf("%s: got %+v want status %d and why", address, got, want)
			}
			s.call("DELETE", "/webhooks/"+hook["webhookId"].(string), nil).want(204)
			if err := s.Deliver(t.Context(), id); err != nil {
				t.Errorf("%s: got %v want nothing to do for a webhook that is gone", address, err)
			}
		}
		if len(secret.got) > 0 {
			t.Errorf("got %d requests at a forbidden address, want none", len(secret.got))
		}
	})
}

func TestWhoDidNotAskIsNotTold(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.newHook("https://example.com/", startedEvent)
		if err := s.Emit(t.Context(), video.DefaultProject, video.QualityCompleted("vi1", "720p")); err != nil {
			t.Fatal(err)
		}
		var rows int
		if err := d.QueryRow(t.Context(), `SELECT count(*) FROM video_deliveries`).Scan(&rows); err != nil || rows > 0 {
			t.Errorf("got %d deliveries (%v) want none", rows, err)
		}
	})
}

func TestOldDeliveriesAreForgotten(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.newHook("https://example.com/", qualityEvent)
		old := s.emit(d)
		exec(t, d, `UPDATE video_deliveries SET created_at = $1`, db.Micros(time.Now().Add(-31*24*time.Hour)))
		if err := s.Emit(t.Context(), video.DefaultProject, video.QualityCompleted("vi1", "360p")); err != nil {
			t.Fatal(err)
		}
		s.sweep()
		var left string
		if err := d.QueryRow(t.Context(), `SELECT id FROM video_deliveries`).Scan(&left); err != nil || left == old {
			t.Errorf("got %s (%v) want the young one", left, err)
		}
	})
}

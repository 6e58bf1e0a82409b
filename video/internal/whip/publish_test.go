package whip_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
	"github.com/pion/webrtc/v4"

	"stoa/video/internal/crowd"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
	"stoa/video/internal/whip"
)

// publish posts the offer of a new browser and joins.
func publish(t *testing.T, url string) (b *browser, location string) {
	t.Helper()
	b = newBrowser(t, webrtc.MimeTypeH264)
	status, answer, heads := request(t, "POST", url+"/"+key, "application/sdp", b.offer)
	if status != http.StatusCreated {
		t.Fatalf("got %d %s", status, answer)
	}
	b.join(t, answer)
	return b, strings.TrimSuffix(url, "/whip") + heads.Get("Location")
}

func TestBrowserPublishes(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	url := serve(t, whip.Options{Door: door, Silence: time.Hour})
	b, location := publish(t, url)
	feed := door.Next(t)
	enough := make(chan struct{})
	go b.send(film(t, "320x180"), enough)
	feed.Await(t, func(starts [][]live.Format, frames []live.Frame) bool { return len(starts) > 0 && len(frames) > 60 })
	close(enough)
	select {
	case <-b.asked:
	case <-time.After(time.Minute):
		t.Error("no key frame was asked for")
	}
	starts, frames := feed.Kept()
	if len(starts) != 1 || len(starts[0]) != 2 {
		t.Fatalf("got formats %v", starts)
	}
	if _, ok := starts[0][0].(*codecs.H264); !ok {
		t.Errorf("got %T as picture", starts[0][0])
	}
	if opus, ok := starts[0][1].(*codecs.Opus); !ok || opus.ChannelCount != 2 {
		t.Errorf("got %v as sound", starts[0][1])
	}
	var last [2]time.Duration
	var count [2]int
	for _, f := range frames {
		if count[f.Track] == 0 && !f.Key {
			t.Errorf("track %d does not begin with a key frame", f.Track)
		}
		if count[f.Track] > 0 && f.DTS <= last[f.Track] {
			t.Errorf("track %d: got %v after %v", f.Track, f.DTS, last[f.Track])
		}
		last[f.Track] = f.DTS
		count[f.Track]++
	}
	if count[0] == 0 || count[1] == 0 {
		t.Errorf("got %d pictures and %d pieces of sound", count[0], count[1])
	}
	if status, _, _ := request(t, "DELETE", location, "", ""); status != http.StatusOK {
		t.Errorf("got %d for DELETE want 200", status)
	}
	<-feed.Closed()
	if status, _, _ := request(t, "DELETE", location, "", ""); status != http.StatusNotFound {
		t.Errorf("got %d for DELETE again want 404", status)
	}
	if door.From.Protocol != "whip" || door.From.Address != "127.0.0.1" {
		t.Errorf("got publisher %+v", door.From)
	}
}

func TestAnotherSizeStartsAgain(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	b, _ := publish(t, serve(t, whip.Options{Door: door}))
	feed := door.Next(t)
	for n, size := range []string{"320x180", "640x360"} {
		enough, sent := make(chan struct{}), make(chan struct{})
		go func() {
			b.send(film(t, size), enough)
			close(sent)
		}()
		feed.Await(t, func(starts [][]live.Format, frames []live.Frame) bool { return len(starts) > n })
		close(enough)
		<-sent
	}
}

func TestSessionsWithoutPicturesAndSoundEnd(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	url := serve(t, whip.Options{Door: door, Silence: 100 * time.Millisecond})
	request(t, "POST", url+"/"+key, "application/sdp", newBrowser(t, webrtc.MimeTypeH264).offer)
	select {
	case <-door.Next(t).Closed():
	case <-time.After(time.Minute):
		t.Error("the session goes on")
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options whip.Options
		act     func(feed *intaketest.Feed)
	}{
		{"dismissed", whip.Options{}, (*intaketest.Feed).Dismiss},
		{"after the broadcast", whip.Options{Discard: 200 * time.Millisecond}, (*intaketest.Feed).End},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			door := intaketest.NewDoor(key)
			test.options.Door = door
			b, location := publish(t, serve(t, test.options))
			feed := door.Next(t)
			enough := make(chan struct{})
			defer close(enough)
			if test.options.Discard > 0 {
				go b.send(film(t, "320x180"), enough)
			}
			test.act(feed)
			select {
			case <-feed.Closed():
			case <-time.After(time.Minute):
				t.Fatal("the session goes on")
			}
			if status, _, _ := request(t, "DELETE", location, "", ""); status != http.StatusNotFound {
				t.Errorf("got %d for DELETE want 404", status)
			}
		})
	}
}

func TestPublicAddressesAreInTheAnswer(t *testing.T) {
	t.Parallel()
	url := serve(t, whip.Options{Door: intaketest.NewDoor(key), PublicIPs: []string{"192.0.2.7"}})
	b := newBrowser(t, webrtc.MimeTypeH264)
	status, answer, heads := request(t, "POST", url, "application/sdp", b.offer, "Authorization", "Bearer "+key)
	if status != http.StatusCreated {
		t.Fatalf("got %d %s", status, answer)
	}
	for _, want := range []string{" 192.0.2.7 ", " 127.0.0.1 ", "a=ice-lite", "a=end-of-candidates"} {
		if !strings.Contains(answer, want) {
			t.Errorf("got no %q in the answer\n%s", want, answer)
		}
	}
	if at := heads.Get("Location"); !strings.HasPrefix(at, "/whip/sessions/") || len(at) < len("/whip/sessions/")+20 {
		t.Errorf("got location %q", at)
	}
}

func TestFurtherAddresses(t *testing.T) {
	t.Parallel()
	url := serve(t, whip.Options{Door: intaketest.NewDoor(key)})
	b := newBrowser(t, webrtc.MimeTypeH264)
	_, _, heads := request(t, "POST", url+"/"+key, "application/sdp", b.offer)
	location := strings.TrimSuffix(url, "/whip") + heads.Get("Location")
	_, after, _ := strings.Cut(b.offer, "a=ice-ufrag:")
	own, _, _ := strings.Cut(after, "\r\n")
	const kind = "application/trickle-ice-sdpfrag"
	for _, test := range []struct {
		name, url, kind, body, match string
		want                         int
	}{
		{"its own", location, kind, "a=ice-ufrag:" + own + "\r\n", heads.Get("ETag"), http.StatusNoContent},
		{"the end of them", location, kind, "a=end-of-candidates\r\n", "", http.StatusNoContent},
		{"ICE again", location, kind, "a=ice-ufrag:other\r\n", "*", http.StatusUnprocessableEntity},
		{"another tag", location, kind, "a=ice-ufrag:" + own + "\r\n", `"other"`, http.StatusPreconditionFailed},
		{"another kind", location, "application/sdp", b.offer, "", http.StatusUnsupportedMediaType},
		{"no session", url + "/sessions/none", kind, "", "", http.StatusNotFound},
		{"too large", location, kind, strings.Repeat("a", 64<<10+1), "", http.StatusRequestEntityTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, text, _ := request(t, "PATCH", test.url, test.kind, test.body, "If-Match", test.match); got != test.want {
				t.Errorf("got %d %s want %d", got, text, test.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	good := newBrowser(t, webrtc.MimeTypeH264).offer
	foreign := newBrowser(t, webrtc.MimeTypeVP8).offer
	busy := intaketest.NewDoor(key)
	busy.Err = live.ErrBusy
	for _, test := range []struct {
		name, path, kind, offer, bearer string
		options                         whip.Options
		want                            int
		text                            string
	}{
		{"no key", "", "application/sdp", good, "", whip.Options{}, http.StatusUnauthorized, "bearer"},
		{"wrong key", "/wrong", "application/sdp", good, "", whip.Options{}, http.StatusNotFound, "no live stream has this key"},
		{"wrong token", "", "application/sdp", good, "wrong", whip.Options{}, http.StatusNotFound, "no live stream has this key"},
		{"a key that none is", "/w%00rong", "application/sdp", good, "", whip.Options{}, http.StatusUnauthorized, "key"},
		{"busy", "/" + key, "application/sdp", good, "", whip.Options{Door: busy}, http.StatusConflict, "somebody else publishes"},
		{"another kind", "/" + key, "text/plain", good, "", whip.Options{}, http.StatusUnsupportedMediaType, "application/sdp"},
		{"no offer", "/" + key, "application/sdp", "hello", "", whip.Options{}, http.StatusBadRequest, "createOffer"},
		{"empty", "/" + key, "application/sdp", "", "", whip.Options{}, http.StatusBadRequest, "createOffer"},
		{"nothing to send", "/" + key, "application/sdp", strings.ReplaceAll(good, "a=sendrecv", "a=recvonly"), "", whip.Options{}, http.StatusBadRequest, "createOffer"},
		{"without fingerprint", "/" + key, "application/sdp", minimalOffer, "", whip.Options{}, http.StatusBadRequest, "createOffer"},
		{"too large", "/" + key, "application/sdp", good + strings.Repeat("a", 64<<10), "", whip.Options{}, http.StatusRequestEntityTooLarge, "64 kB"},
		{"a codec that cannot be broadcast", "/" + key, "application/sdp", withoutH264(foreign), "", whip.Options{}, http.StatusBadRequest, "H.264"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if test.options.Door == nil {
				test.options.Door = intaketest.NewDoor(key)
			}
			url := serve(t, test.options)
			var heads []string
			if test.bearer != "" {
				heads = []string{"Authorization", "Bearer " + test.bearer}
			}
			got, text, _ := request(t, "POST", url+test.path, test.kind, test.offer, heads...)
			if got != test.want || !strings.Contains(text, test.text) {
				t.Errorf("got %d %q want %d and %q", got, text, test.want, test.text)
			}
		})
	}
}

// withoutH264 renames the codec in an offer.
func withoutH264(offer string) string { return strings.ReplaceAll(offer, "H264/90000", "XX264/90000") }

func TestTooManySessionsAreRefused(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	log := new(intaketest.Log)
	url := serve(t, whip.Options{Door: door, PerAddress: 1, Log: log.Logger()})
	publish(t, url)
	b := newBrowser(t, webrtc.MimeTypeH264)
	status, _, heads := request(t, "POST", url+"/"+key, "application/sdp", b.offer)
	if status != http.StatusServiceUnavailable || heads.Get("Retry-After") == "" {
		t.Errorf("got %d, Retry-After %q, want 503", status, heads.Get("Retry-After"))
	}
	if text := log.String(); !strings.Contains(text, crowd.ErrAddress.Error()) {
		t.Errorf("got log %s, want %v", text, crowd.ErrAddress)
	}
}

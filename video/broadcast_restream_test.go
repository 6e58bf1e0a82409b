package video_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/internal/fault"
	"stoa/video"
	"stoa/video/internal/rtmp"
)

// What is broadcast goes to another Stoa too, as a broadcast of its own. One that is not
// there disturbs nobody.
func TestBroadcastIsSentOn(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		there := newWorkshop(t, d)
		target, key := there.newStream(object{"name": "There"})
		port := serveRTMP(t, there)

		here := newWorkshop(t, newDB(t), func(o *video.Options) {
			o.Egress = egress.New([]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")})
		})
		stream, mine := here.newStream(object{"restreams": []object{
			{"name": "Nobody", "serverUrl": "rtmp://127.0.0.1:1/s", "streamKey": "none"},
			{"name": "There", "serverUrl": "rtmp://" + port + "/s", "streamKey": key},
		}})
		r := newReel(t, talk)
		feed := here.enter(mine)
		if err := feed.Start(r.formats); err != nil {
			t.Fatal(err)
		}
		later := time.Duration(0)
		until(t, "the other broadcast", func() bool {
			r.write(t, feed, later, 0, everything)
			later += r.length
			return there.broadcasting(target)
		})
		until(t, "the state of what is sent on", func() bool {
			r.write(t, feed, later, 0, everything)
			later += r.length
			return here.restreams(stream)[1].Phase == "live"
		})
		feed.Close()
		until(t, "the end of the other broadcast", func() bool { return !there.broadcasting(target) })
		there.complete(target)
		there.recorded(target, 1)
	})
}

func TestStatesOfRestreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d) // which reaches no machine
		stream, key := w.newStream(object{"restreams": []object{
			{"name": "One", "serverUrl": "rtmp://127.0.0.1:1/s", "streamKey": "none"},
			{"name": "Two", "serverUrl": "rtmp://127.0.0.1:2/s", "streamKey": "none"},
		}})
		if got := w.restreams(stream)[1]; got.Name != "Two" || got.Host != "127.0.0.1:2" || got.Phase != "idle" || !got.Changed.IsZero() {
			t.Errorf("got %+v, want it idle", got)
		}
		feed := w.enter(key)
		until(t, "a failure", func() bool {
			got := w.restreams(stream)[0]
			return got.Phase == "waiting" && got.Message != "" && !got.Changed.IsZero()
		})
		feed.Close()
		until(t, "rest", func() bool { return w.restreams(stream)[0].Phase == "idle" })
		if _, err := w.Restreams(t.Context(), "li_none"); !errors.Is(err, fault.NotFound) {
			t.Errorf("got %v, want it not found", err)
		}
	})
}

// restreams is how it stands with those of a live stream.
func (w *workshop) restreams(stream string) []video.RestreamState {
	w.t.Helper()
	states, err := w.Restreams(w.t.Context(), stream)
	if err != nil || len(states) != 2 {
		w.t.Fatalf("got %v, %v, want two", states, err)
	}
	return states
}

// serveRTMP lets publishers in until the test ends.
func serveRTMP(t *testing.T, w *workshop) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	var served sync.WaitGroup
	served.Go(func() {
		if err := rtmp.NewServer(rtmp.Options{Door: w.Service, Log: w.Log}).Serve(ctx, l); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	t.Cleanup(func() { stop(); served.Wait() })
	return l.Addr().String()
}

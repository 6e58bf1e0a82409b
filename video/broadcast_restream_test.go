package video_test

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/egress"
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
		_, mine := here.newStream(object{"restreams": []object{
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
		feed.Close()
		until(t, "the end of the other broadcast", func() bool { return !there.broadcasting(target) })
		there.complete(target)
		there.recorded(target, 1)
	})
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

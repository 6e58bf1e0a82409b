package video_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/live"
)

// everything is longer than any reel.
const everything = time.Hour

func TestBroadcastBecomesARecording(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.hearEverything()
		r := newReel(t, talk)
		id, key := w.newStream(object{"name": "Evening show"})
		if w.broadcasting(id) {
			t.Error("got broadcasting before anybody came want not")
		}
		feed := w.enter(key)
		r.send(t, feed, 0, everything)
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		w.complete(id)
		if w.broadcasting(id) {
			t.Error("got broadcasting after completion want not")
		}
		if err := feed.Write(r.frames[0]); !errors.Is(err, live.ErrEnded) {
			t.Errorf("got %v want %v", err, live.ErrEnded)
		}
		recording := w.recorded(id, 1)[0]
		if got := w.qualitiesOf(recording); !slices.Equal(got, []string{"hls 240p encoded", "mp4 240p waiting"}) {
			t.Errorf("got %v want the picture encoded and the MP4 to come", got)
		}
		shown := w.call("GET", "/videos/"+recording, nil).want(200)
		if source := shown["source"].(object); shown["title"] != "Evening show" || source["type"] != "liveStream" || source["liveStream"].(object)["liveStreamId"] != id {
			t.Errorf("got %v want the name of the stream and a link to it", shown)
		}
		w.wantFrames(recording, 0, 70)
		want := []string{"live-stream.broadcast.ended", "live-stream.broadcast.started", "video.encoding.quality.completed", "video.source.recorded"}
		if got := w.heard(); !slices.Equal(got, want) {
			t.Errorf("got events %v want %v", got, want)
		}
	})
}

// wantFrames checks that a recording, as players load it, shows these numbers.
func (w *workshop) wantFrames(id string, from, to int) {
	w.t.Helper()
	var want []int
	for n := from; n < to; n++ {
		want = append(want, n)
	}
	if got := ffmpegtest.FrameNumbers(w.t, w.downloaded("/vod/"+id+"/hls/manifest.m3u8")); !slices.Equal(got, want) {
		w.t.Errorf("got frames %v want %d to %d", got, from, to-1)
	}
}

// The recording of a broadcast whose publisher was away has no gap and no frame twice,
// whatever clock he comes back with.
func TestPublisherReturns(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		r := newReel(t, talk)
		id, key := w.newStream()
		first := w.enter(key)
		r.send(t, first, 0, 4*time.Second)
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		first.Close()
		if w.broadcasting(id) {
			t.Error("got broadcasting after the publisher has left want not")
		}
		if got := w.recordings(id); len(got) > 0 {
			t.Errorf("got the recording %v before the minute is over want none", got)
		}
		again := w.enter(key)
		if err := again.Start(r.formats); err != nil {
			t.Fatal(err)
		}
		r.write(t, again, time.Hour, 4*time.Second, everything)
		until(t, "broadcasting again", func() bool { return w.broadcasting(id) })
		again.Close()
		w.complete(id)
		recording := w.recorded(id, 1)[0]
		w.wantFrames(recording, 0, 70)
		list := string(w.call("GET", "/vod/"+recording+"/hls/240p/manifest.m3u8", nil).body)
		if got := strings.Count(list, "#EXT-X-DISCONTINUITY"); got != 1 {
			t.Errorf("got %d discontinuities want 1 in\n%s", got, list)
		}
		w.wantInSync(recording, 7*time.Second)
	})
}

func TestOnePublisherAtATime(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		r := newReel(t, silent)
		id, key := w.newStream()
		feed := w.enter(key)
		for name, c := range map[string]struct {
			key  string
			want error
		}{
			"in use":    {key, live.ErrBusy},
			"unknown":   {"00000000-0000-4000-8000-000000000000", live.ErrUnknownKey},
			"no key":    {"", live.ErrUnknownKey},
			"something": {strings.Repeat("x", 10_000), live.ErrUnknownKey},
		} {
			if _, err := w.Enter(t.Context(), c.key, live.Publisher{}); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v want %v", name, err, c.want)
			}
		}
		r.send(t, feed, 0, everything) // who came first is not disturbed
		w.complete(id)
		next := w.enter(key) // while the first is still connected
		r.send(t, next, 0, everything)
		next.Close()
		w.complete(id)
		for _, recording := range w.recorded(id, 2) {
			w.wantFrames(recording, 0, 50)
		}
		w.call("DELETE", "/live-streams/"+id, nil).want(204)
		if _, err := w.Enter(t.Context(), key, live.Publisher{}); !errors.Is(err, live.ErrUnknownKey) {
			t.Errorf("deleted: got %v want %v", err, live.ErrUnknownKey)
		}
	})
}

func TestDeletedStreamIsRecorded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		id, key := w.newStream(object{"name": "Soon gone", "public": false})
		feed := w.enter(key)
		newReel(t, silent).send(t, feed, 0, everything)
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		w.call("DELETE", "/live-streams/"+id, nil).want(204)
		shown := w.call("GET", "/videos/"+w.recorded(id, 1)[0], nil).want(200)
		if shown["title"] != "Soon gone" || shown["public"] != false {
			t.Errorf("got %v want the name of the stream, and private as it was", shown)
		}
	})
}

func TestBroadcastEndsAMinuteAfterItsPublisher(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		r := newReel(t, silent)
		id, key := w.newStream()
		feed := w.enter(key)
		r.send(t, feed, 0, everything)
		feed.Close()
		exec(t, d, `UPDATE live_broadcasts SET seen_at = seen_at - 61000000, left_at = left_at - 61000000`)
		w.wantFrames(w.recorded(id, 1)[0], 0, 50)

		// A process that has died says nothing, and is not seen any more.
		other := w.beside()
		r.send(t, other.enter(key), 0, everything)
		until(t, "something stored", func() bool {
			var n int
			w.row(`SELECT COUNT(*) FROM live_segments s JOIN live_broadcasts b ON b.id = s.broadcast_id WHERE NOT b.ended`, &n)
			return n > 0
		})
		exec(t, d, `UPDATE live_broadcasts SET seen_at = seen_at - 6000000 WHERE NOT ended`)
		if w.broadcasting(id) {
			t.Error("got broadcasting by a process that has died want not")
		}
		exec(t, d, `UPDATE live_broadcasts SET seen_at = seen_at - 61000000 WHERE NOT ended`)
		w.recorded(id, 2)
	})
}

// A publisher whose process, or whose line, seems to have died is replaced by one who
// comes. Should he live, he is sent away and writes nothing more.
func TestLostPublisherIsReplaced(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		other := w.beside()
		r := newReel(t, silent)
		id, key := w.newStream()
		lost := other.enter(key)
		r.send(t, lost, 0, 2*time.Second)
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		exec(t, d, `UPDATE live_broadcasts SET seen_at = seen_at - 6000000`)
		feed := w.enter(key)
		for _, f := range r.frames[20:] {
			if err := lost.Write(f); err != nil && !errors.Is(err, live.ErrEnded) {
				t.Fatal(err)
			}
		}
		lost.Close()
		select {
		case <-lost.Done():
		default:
			t.Error("got the lost publisher still wanted want him sent away")
		}
		r.send(t, feed, 0, everything)
		feed.Close()
		w.complete(id)
		w.wantFrames(w.recorded(id, 1)[0], 0, 50) // he had no whole segment
	})
}

func TestNothingSentLeavesNothing(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		id, key := w.newStream()
		for range 2 {
			feed := w.enter(key)
			if err := feed.Start(newReel(t, silent).formats); err != nil {
				t.Fatal(err)
			}
			feed.Close()
		}
		var n int
		if w.row(`SELECT COUNT(*) FROM live_broadcasts`, &n); n != 0 || len(w.recordings(id)) != 0 {
			t.Errorf("got %d broadcasts, recordings %v want none", n, w.recordings(id))
		}
	})
}

func TestLongBroadcastIsSplit(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.SetLongestBroadcast(2 * time.Second)
		r := newReel(t, talk)
		id, key := w.newStream()
		feed := w.enter(key)
		r.send(t, feed, 0, everything)
		feed.Close()
		w.complete(id)
		for i, recording := range w.recorded(id, 2) {
			w.wantFrames(recording, 40*i, min(40*(i+1), 70))
		}
	})
}

func TestSandboxBroadcastIsShort(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d, func(o *video.Options) { o.Environment = "staging" })
		r := newReel(t, talk)
		id, key := w.newStream()
		feed := w.enter(key)
		if err := feed.Start(r.formats); err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			r.write(t, feed, time.Duration(n)*r.length, 0, everything)
		}
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		exec(t, d, `UPDATE live_broadcasts SET started_at = started_at - 1801000000`)
		recording := w.recorded(id, 1)[0]
		seconds := w.call("GET", "/videos/"+recording+"/status", nil).want(200)["encoding"].(object)["metadata"].(object)["duration"].(float64)
		if seconds > 30 || seconds < 26 {
			t.Errorf("got a recording of %v s want about 30", seconds)
		}
		if err := feed.Write(r.frames[0]); !errors.Is(err, live.ErrEnded) {
			t.Errorf("got %v want %v", err, live.ErrEnded)
		}
	})
}

func TestBroadcastWithoutStorageEnds(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.SetStoreTries(2)
		r := newReel(t, silent)
		id, key := w.newStream()
		feed := w.enter(key)
		r.send(t, feed, 0, 3*time.Second)
		until(t, "broadcasting", func() bool { return w.broadcasting(id) })
		until(t, "the first segment", func() bool {
			var n int
			w.row(`SELECT COUNT(*) FROM live_segments`, &n)
			return n == 1
		})
		w.store.breakAt(".m4s")
		for _, f := range r.frames[30:] {
			if err := feed.Write(f); err != nil {
				break
			}
		}
		select {
		case <-feed.Done():
		case <-time.After(time.Minute):
			t.Fatal("got a publisher without storage still wanted want him sent away")
		}
		feed.Close()
		w.complete(id)
		w.wantFrames(w.recorded(id, 1)[0], 0, 20)
	})
}

func TestEndedBroadcastIsForgotten(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		id, key := w.newStream()
		feed := w.enter(key)
		newReel(t, talk).send(t, feed, 0, everything)
		feed.Close()
		w.complete(id)
		recording := w.recorded(id, 1)[0]
		exec(t, d, `UPDATE live_broadcasts SET ended_at = ended_at - 7201000000, started_at = started_at - 10801000000`)
		until(t, "the broadcast is forgotten", func() bool {
			var n int
			w.row(`SELECT COUNT(*) FROM live_broadcasts`, &n)
			return n == 0
		})
		if got := w.keys("video/" + recording + "/live/"); len(got) > 0 {
			t.Errorf("got the parts %v left want none", got)
		}
		w.wantFrames(recording, 0, 70)
	})
}

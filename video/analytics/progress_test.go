package analytics

import (
	"slices"
	"testing"
	"time"
)

// at makes an event some milliseconds after the beginning.
func at(ms int64, k kind, position int64) event {
	return event{emitted: 1_000_000 + ms, moment: noon.UnixMicro() + ms*1000, kind: k, position: position, paused: k == pause}
}

func TestWatchTime(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		events []event
		want   int64
	}{
		{"plain", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(9000, end, 9000)}, 9000},
		{"sparse", []event{at(0, play, 0), at(600_000, timeUpdate, 600_000)}, 600_000},
		{"a seek forward", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(5100, seek, 90_000), at(6100, timeUpdate, 91_000)}, 6000},
		{"a short seek", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(5100, seek, 7000), at(6100, timeUpdate, 8000)}, 6000},
		{"a seek backward", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(5100, seek, 0), at(7100, timeUpdate, 2000)}, 7000},
		{"a seek that got lost", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(6000, timeUpdate, 90_000), at(7000, timeUpdate, 91_000)}, 6000},
		{"a way back without a seek", []event{at(0, play, 0), at(5000, timeUpdate, 5000), at(6000, timeUpdate, 1000)}, 5000},
		{"double speed", []event{at(0, play, 0), at(5000, timeUpdate, 10_000)}, 10_000},
		{"a pause", []event{at(0, play, 0), at(2000, pause, 2000), at(60_000, play, 2000), at(61_000, timeUpdate, 3000)}, 3000},
		{"moved while paused", []event{at(0, play, 0), at(2000, pause, 2000), at(60_000, play, 30_000), at(61_000, timeUpdate, 31_000)}, 3000},
		{"another source", []event{at(0, play, 0), at(2000, timeUpdate, 2000), at(3000, source, 0), at(4000, timeUpdate, 5000), at(5000, timeUpdate, 6000)}, 3000},
		{"nothing played", []event{at(0, loaded, 0), at(2000, timeUpdate, 2000)}, 0},
	}
	for _, c := range cases {
		p := newPlayback(playbackID{})
		p.add(c.events)
		if got := p.progress().watched; got != c.want {
			t.Errorf("%s: got %d ms want %d", c.name, got, c.want)
		}
	}
}

// TestLateEventsFindTheirPlace sends a long playback event by event, in an order
// in which neighbours are turned around and all come twice.
func TestLateEventsFindTheirPlace(t *testing.T) {
	t.Parallel()
	var events []event
	for i := range int64(200) {
		events = append(events, at(i*1000, play, i*1000))
		if i%7 == 3 {
			events = append(events, at(i*1000+1, seek, 0), at(i*1000+2, seek, i*1000))
		}
	}
	inOrder, turned := newPlayback(playbackID{}), newPlayback(playbackID{})
	for i := range events {
		inOrder.add(events[i : i+1])
	}
	for i := 0; i+1 < len(events); i += 2 {
		turned.add(events[i+1 : i+2])
		turned.add(events[i : i+1])
		turned.add(events[max(i-20, 0) : i+2])
	}
	turned.add(events[len(events)-1:])
	if got, want := turned.progress(), inOrder.progress(); got.watched != want.watched || want.watched == 0 {
		t.Errorf("got %+v want %+v", got, want)
	}
	before := turned.progress()
	turned.add(events[:50]) // long settled
	if got := turned.progress(); got != before {
		t.Errorf("got %+v want %+v: these are known", got, before)
	}
}

func TestEventsOfOneMillisecondThatSettleApart(t *testing.T) {
	t.Parallel()
	var events []event
	for i := range int64(2 * maxTail) {
		events = append(events, at(i/4*1000, play, i*100))
	}
	p := newPlayback(playbackID{})
	for i := range events {
		p.add(events[i : i+1])
	}
	before := p.progress()
	p.add(events)
	if got := p.progress(); got != before {
		t.Errorf("got %+v want %+v: all of them are known", got, before)
	}
}

func TestStateComesBack(t *testing.T) {
	t.Parallel()
	p := newPlayback(playbackID{})
	for i := range int64(50) {
		p.add([]event{at(i*700, kind(i%9), i*650)})
	}
	back := newPlayback(playbackID{})
	if err := back.restore(p.state()); err != nil {
		t.Fatal(err)
	}
	if back.began != p.began || back.ended != p.ended || back.settled != p.settled || !slices.Equal(back.tail, p.tail) {
		t.Errorf("got %+v want %+v", back, p)
	}
	for n := range p.state() {
		if newPlayback(playbackID{}).restore(p.state()[:n]) == nil {
			t.Errorf("got no error want one for the first %d bytes", n)
		}
	}
}

func TestStretchesAreCutAtHours(t *testing.T) {
	t.Parallel()
	hour := noon.Truncate(time.Hour).UnixMicro()
	p := newPlayback(playbackID{})
	var rows []stretch
	for _, moment := range []int64{hour - 30e6, hour - 15e6, hour - 5e6, hour + 14e6} {
		rows = append(rows, p.attend(moment)...)
	}
	want := []stretch{{hour - 30e6, hour - 10e6}, {hour - 30e6, hour}, {hour, hour + 5e6}, {hour, hour + 15e6}, {hour, hour + 34e6}}
	if !slices.Equal(rows, want) {
		t.Errorf("got %v want %v", rows, want)
	}
}

func FuzzParseWatch(f *testing.F) {
	f.Add([]byte(`{"sat":12000,"sid":"s","mid":"vi1","pid":"p","ref":"r","eve":[{"eat":1500,"typ":2,"vti":0.5,"pau":false},{"eat":1000,"typ":8}]}`))
	f.Add([]byte(`{"sat":1e14,"sid":"s","mid":"vi1","pid":"p","eve":[{"eat":1,"typ":4,"vti":1e7}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if b, err := parseWatch(body, noon); err == nil {
			follow(t, b)
		}
	})
}

func FuzzParseSession(f *testing.F) {
	f.Add([]byte(`{"emitted_at":"2020-01-01T00:00:10Z","session":{"video_id":"vi1","live_stream_id":"li1"},"events":[{"emitted_at":"2020-01-01T00:00:09Z","type":"seek.forward","from":1,"to":2}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, live := range []bool{false, true} {
			if b, _, err := parseSession(body, live, noon); err == nil {
				follow(t, b)
			}
		}
	})
}

// follow checks what must hold of every batch that is taken.
func follow(t *testing.T, b batch) {
	t.Helper()
	if !isID(b.media) || len(b.referrer) > maxReferrer {
		t.Fatalf("got %+v", b)
	}
	p := newPlayback(playbackID{})
	for _, s := range p.add(b.events) {
		if s.began >= s.ended || hourOf(s.began) != hourOf(s.ended-1) {
			t.Fatalf("got the stretch %v", s)
		}
	}
	far := p.progress()
	p.add(b.events)
	if again := p.progress(); again != far || far.watched < 0 || far.waited < never {
		t.Fatalf("got %+v, and %+v the second time", far, again)
	}
	for _, e := range b.events {
		if moment := time.UnixMicro(e.moment); moment.After(noon) || moment.Before(noon.Add(-maxAge)) {
			t.Fatalf("got %v want a moment of the last hour", moment)
		}
	}
	if err := newPlayback(playbackID{}).restore(p.state()); err != nil {
		t.Fatal(err)
	}
}

func FuzzRestore(f *testing.F) {
	p := newPlayback(playbackID{})
	p.add([]event{at(0, play, 0), at(1000, pause, 1000)})
	f.Add(p.state())
	f.Fuzz(func(t *testing.T, state []byte) {
		p := newPlayback(playbackID{})
		if p.restore(state) == nil {
			p.progress()
		}
	})
}

package live_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// shot is a frame with the time at which it truly is.
type shot struct {
	live.Frame
	truly   time.Duration
	arrives time.Duration
}

// shots makes a publisher: frame rate, key frames, lag of the sound, holes in it, a
// clock that begins anywhere, rounds, jumps and wraps.
func shots(r *rand.Rand) (all []shot, tolerance time.Duration) {
	length := time.Duration(5+r.IntN(15)) * time.Second
	frame := time.Second / time.Duration([]int{10, 15, 24, 25, 30, 50, 60}[r.IntN(7)])
	lag := time.Duration(r.IntN(600)-300) * time.Millisecond
	hole, holeEnd := length, length
	if r.IntN(2) == 0 {
		hole = time.Duration(r.Int64N(int64(length)))
		holeEnd = hole + time.Duration(r.IntN(8000))*time.Millisecond
	}
	nextKey := r.IntN(20)
	for n := 0; time.Duration(n)*frame < length; n++ {
		at := time.Duration(n) * frame
		s := shot{Frame: live.Frame{Track: 0, Key: n == nextKey, DTS: at, PTS: at + time.Duration(r.IntN(3))*frame}, truly: at, arrives: at}
		if s.Key {
			nextKey += 1 + r.IntN(200)
		}
		all = append(all, s)
	}
	for n := 0; ; n++ {
		at := time.Duration(n) * 1024 * time.Second / 48000
		if at >= length {
			break
		}
		if at < hole || at > holeEnd {
			all = append(all, shot{Frame: live.Frame{Track: 1, DTS: at, PTS: at}, truly: at, arrives: at + lag})
		}
	}
	slices.SortStableFunc(all, func(a, b shot) int { return cmp.Compare(a.arrives, b.arrives) })

	shift := time.Duration(r.Int64())
	jumps := r.IntN(4)
	for range jumps {
		jumpAt := 3*time.Second + time.Duration(r.Int64N(int64(length)))
		delta := time.Duration(r.Uint64())
		if delta > -5*time.Second && delta < 5*time.Second {
			delta = 1 << 32 * time.Millisecond
		}
		for i := range all {
			if all[i].truly >= jumpAt {
				all[i].DTS, all[i].PTS = all[i].DTS+delta, all[i].PTS+delta
			}
		}
	}
	for i := range all {
		d, p := all[i].DTS.Round(time.Millisecond), all[i].PTS.Round(time.Millisecond)
		all[i].DTS, all[i].PTS = d+shift, p+shift
	}
	// At a jump the clock goes on by the length of the frame before, which is all it
	// knows. Sound that returns with a jump after a hole goes on where the picture is.
	tolerance = time.Duration(jumps)*frame + 50*time.Millisecond
	if hole < length && jumps > 0 {
		tolerance += time.Second + lag.Abs()
	}
	return all, tolerance
}

func TestEveryFrameOnceAndInTime(t *testing.T) {
	t.Parallel()
	for seed := range uint64(16) {
		all, tolerance := shots(rand.New(rand.NewPCG(seed, 1)))
		from := live.Place{Time: time.Duration(seed%600) * time.Minute, Segment: int(seed)}
		sound := aac(48000)
		if seed%2 == 1 { // of six channels there is no silence to put in its place
			sound.(*codecs.MPEG4Audio).Config.ChannelConfig = 6
		}
		s, sink := start(t, from, h264(t), sound)
		var truly [2][]time.Duration
		var written [2][]string
		for _, f := range all {
			s.write(f.Frame)
			truly[f.Track] = append(truly[f.Track], f.truly)
			written[f.Track] = append(written[f.Track], s.written[len(s.written)-1])
		}
		s.close()
		var shift time.Duration
		for i, name := range []string{"720p", "audio"} {
			k := sink.track(name)
			frames := k.frames(t)
			for n := range len(frames) - 1 {
				if end, next := frames[n].time+frames[n].duration, frames[n+1].time; next < end || i == 0 && next != end {
					t.Fatalf("seed %d: got frame %d of %s until %d and the next at %d", seed, n, name, end, next)
				}
			}
			frames = slices.DeleteFunc(frames, isSilence)
			if len(frames) == 0 {
				if i == 0 {
					t.Fatalf("seed %d: got no pictures", seed)
				}
				continue // its hole was until the end
			}
			first := slices.Index(written[i], frames[0].payload)
			var payloads []string
			for n, f := range frames {
				payloads = append(payloads, f.payload)
				at := time.Duration(f.time) * time.Second / time.Duration(k.heads[0].Clock)
				if i == 0 && n == 0 {
					shift = at - truly[i][first]
				}
				if off := (at - truly[i][first+n] - shift).Abs(); off > tolerance {
					t.Fatalf("seed %d: got frame %d of %s off by %v, more than %v", seed, n, name, off, tolerance)
				}
			}
			if !slices.Equal(payloads, written[i][first:]) {
				t.Fatalf("seed %d: got frames of %s out of order, or not all", seed, name)
			}
			for _, g := range k.segments {
				if long := time.Duration(g.Duration) * time.Second / time.Duration(k.heads[0].Clock); long > live.TargetDuration+400*time.Millisecond {
					t.Errorf("seed %d: got segment %d of %s with %v", seed, g.Number, name, long)
				}
			}
		}
		if sink.track("720p").segments[0].FirstFrame == 0 {
			t.Errorf("seed %d: got a first picture that is no key frame", seed)
		}
	}
}

// isSilence tells what was put in the place of sound that did not come.
func isSilence(f got) bool { return !strings.Contains(f.payload, "/") }

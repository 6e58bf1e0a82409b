package live_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg4audio"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// Sound that was promised and does not come is silence, which players can decode.
func TestPromisedSoundIsSilence(t *testing.T) {
	t.Parallel()
	mono := &codecs.MPEG4Audio{Config: mpeg4audio.AudioSpecificConfig{Type: mpeg4audio.ObjectTypeAACLC, SampleRate: 44100, ChannelConfig: 1}}
	for name, format := range map[string]live.Format{"stereo": aac(48000), "mono": mono, "opus": &codecs.Opus{ChannelCount: 2}} {
		s, sink := start(t, live.Place{}, h264(t), format)
		for n := range 250 {
			at := time.Duration(n) * 40 * time.Millisecond
			s.write(live.Frame{DTS: at, PTS: at, Key: n%50 == 0})
		}
		s.close()
		k := sink.track("audio")
		last := k.segments[len(k.segments)-1]
		if end := (last.Start + last.Duration) * 1000 / k.heads[0].Clock; end < 9300 || end > 10_000 || last.Number != 4 {
			t.Errorf("%s: got silence until %d ms in segment %d, want a little before 10000 in 4", name, end, last.Number)
		}
		out, err := exec.Command("ffmpeg", "-v", "info", "-xerror", "-i", k.file(t), "-af", "volumedetect", "-f", "null", "-").CombinedOutput()
		if err != nil || !strings.Contains(string(out), "max_volume: -91.0 dB") {
			t.Errorf("%s: got %v, want silence:\n%s", name, err, out)
		}
	}
}

func TestSoundReturnsAfterSilence(t *testing.T) {
	t.Parallel()
	s, sink := start(t, live.Place{}, h264(t), aac(48000))
	s.film(0, 3*time.Second, 50)
	for n := range 125 {
		at := 3*time.Second + time.Duration(n)*40*time.Millisecond
		s.write(live.Frame{DTS: at, PTS: at, Key: n%50 == 0})
	}
	s.film(8*time.Second, 10*time.Second, 50)
	s.close()
	all := sink.track("audio").frames(t)
	first := slices.IndexFunc(all, isSilence)
	if first < 0 || all[first].time != all[first-1].time+1024 {
		t.Fatalf("got no silence right after the sound")
	}
	back := first + slices.IndexFunc(all[first:], func(f got) bool { return !isSilence(f) })
	if got := all[back].time; got != 8*48000 {
		t.Errorf("got the sound back at %d want %d", got, 8*48000)
	}
	if k := sink.track("audio"); len(k.segments) != len(sink.track("720p").segments) {
		t.Errorf("got %d segments of sound, %d of pictures", len(k.segments), len(sink.track("720p").segments))
	}
}

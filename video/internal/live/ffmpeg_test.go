package live_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/live"
	"stoa/video/internal/live/livetest"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

// file is a track as a player puts it together.
func (k *track) file(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "track.mp4")
	all := slices.Clone(k.heads[0].Bytes)
	for _, s := range k.segments {
		all = append(all, s.Bytes...)
	}
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestPlayersSeeEveryFrame(t *testing.T) {
	t.Parallel()
	formats, frames := livetest.Frames(t, ffmpegtest.Spec{Seconds: 7, GOP: 30, Audio: true})
	sink := newShelf(t)
	p := live.NewPackager(live.Place{}, sink)
	if err := p.Start(formats); err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		if err := p.Write(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	want := make([]int, 175)
	for i := range want {
		want[i] = i
	}
	picture := sink.track("240p")
	if got := ffmpegtest.FrameNumbers(t, picture.file(t)); !slices.Equal(got, want) {
		t.Errorf("got pictures %v", got)
	}
	if len(picture.segments) != 3 || picture.heads[0].Width != 320 || picture.heads[0].Height != 180 {
		t.Errorf("got %d segments of %d x %d", len(picture.segments), picture.heads[0].Width, picture.heads[0].Height)
	}
	for _, name := range []string{"240p", "audio"} {
		checkPackets(t, sink.track(name))
	}
}

// checkPackets reads the times of a track as ffprobe sees them.
func checkPackets(t *testing.T, k *track) {
	t.Helper()
	out, err := exec.Command("ffprobe", "-v", "error", "-show_packets", "-of", "json", k.file(t)).Output()
	if err != nil {
		t.Fatal(err)
	}
	var probed struct {
		Packets []struct {
			DTS  int64  `json:"dts"`
			Size string `json:"size"`
		} `json:"packets"`
	}
	if err := json.Unmarshal(out, &probed); err != nil {
		t.Fatal(err)
	}
	frames := k.frames(t)
	if len(probed.Packets) != len(frames) {
		t.Fatalf("got %d packets want %d", len(probed.Packets), len(frames))
	}
	for i, p := range probed.Packets {
		f := frames[i]
		size, _ := strconv.Atoi(p.Size)
		if size != len(f.payload) || p.DTS != f.time || i > 0 && f.time != frames[i-1].time+frames[i-1].duration {
			t.Errorf("got packet %d of %d bytes at %d want %d bytes at %d", i, size, p.DTS, len(f.payload), f.time)
		}
	}
}

package encode_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/hls"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

// store is a sink that keeps everything.
type store struct {
	sync.Mutex
	plan     encode.Plan
	inits    map[string][]byte
	codecs   map[string]string
	segments map[string]map[int]encode.Segment
	pictures map[int][]byte
	changed  bool // the head of a track was not the same in every chunk
}

func newStore(p encode.Plan) *store {
	return &store{plan: p, inits: map[string][]byte{}, codecs: map[string]string{},
		segments: map[string]map[int]encode.Segment{}, pictures: map[int][]byte{}}
}

func (s *store) Init(_ context.Context, track string, init []byte, codec string) error {
	s.Lock()
	defer s.Unlock()
	if old := s.inits[track]; old != nil && string(old) != string(init) {
		s.changed = true
	}
	s.inits[track], s.codecs[track] = init, codec
	return nil
}

func (s *store) Segment(_ context.Context, track string, number int, segment encode.Segment) error {
	s.Lock()
	defer s.Unlock()
	if s.segments[track] == nil {
		s.segments[track] = map[int]encode.Segment{}
	}
	s.segments[track][number] = segment
	return nil
}

func (s *store) Picture(_ context.Context, number int, jpeg []byte) error {
	s.Lock()
	defer s.Unlock()
	s.pictures[number] = jpeg
	return nil
}

// inOrder is the segments of a track; a missing one fails the test.
func (s *store) inOrder(t testing.TB, track string) []encode.Segment {
	t.Helper()
	var all []encode.Segment
	for i, n := range slices.Sorted(maps.Keys(s.segments[track])) {
		if n != i {
			t.Fatalf("%s has no segment %d", track, i)
		}
		all = append(all, s.segments[track][n])
	}
	return all
}

// file writes a whole track.
func (s *store) file(t testing.TB, folder, track string) string {
	t.Helper()
	all := slices.Clone(s.inits[track])
	for _, segment := range s.inOrder(t, track) {
		all = append(all, segment.Bytes...)
	}
	path := filepath.Join(folder, track+".mp4")
	if err := os.WriteFile(path, all, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// probe is what a source is.
func probe(t testing.TB, in ffmpeg.Input) ffmpeg.Media {
	t.Helper()
	media, err := ffmpegtest.Runner(t).Probe(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return media
}

// plan plans a source, and takes its plan through JSON as it is kept.
func plan(t testing.TB, media ffmpeg.Media, o encode.Options) encode.Plan {
	t.Helper()
	made, err := encode.NewPlan(media, o)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := json.Marshal(made)
	if err != nil {
		t.Fatal(err)
	}
	var p encode.Plan
	if err := json.Unmarshal(kept, &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// encodeAll encodes all of a source: two workers take its chunks, the last first.
func encodeAll(t testing.TB, source encode.Source, p encode.Plan) *store {
	t.Helper()
	s, runner := newStore(p), ffmpegtest.Runner(t)
	chunks := make(chan int, p.Chunks())
	for n := range p.Chunks() {
		chunks <- p.Chunks() - 1 - n
	}
	close(chunks)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for n := range chunks {
				if err := encode.Chunk(t.Context(), runner, source, p, n, p.FirstSegment(n), s); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if p.Audio >= 0 {
		if err := encode.Audio(t.Context(), runner, source, p, s); err != nil {
			t.Error(err)
		}
	}
	workers.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return s
}

// encodeFile is encodeAll for a file with no wishes.
func encodeFile(t testing.TB, path string) *store {
	t.Helper()
	in := ffmpegtest.Input(t, path)
	return encodeAll(t, encode.Source{Input: in}, plan(t, probe(t, in), encode.Options{}))
}

// packet is what ffprobe tells of one.
type packet struct {
	pts, duration int64
	key           bool
}

// packets lists those of the only stream of a file, as they are shown.
func packets(t testing.TB, path string) []packet {
	t.Helper()
	out := ffprobe(t, "-show_entries", "packet=pts,duration,flags", "-of", "csv=p=0", path)
	var all []packet
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), ",")
		pts, err := strconv.ParseInt(f[0], 10, 64)
		if err != nil {
			t.Fatalf("ffprobe: %q", line)
		}
		duration, _ := strconv.ParseInt(f[1], 10, 64)
		all = append(all, packet{pts: pts, duration: duration, key: strings.HasPrefix(f[2], "K")})
	}
	slices.SortStableFunc(all, func(a, b packet) int { return int(a.pts - b.pts) })
	return all
}

func ffprobe(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command("ffprobe", append([]string{"-v", "error"}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ffprobe: %v\n%s", err, out)
	}
	return string(out)
}

// checkTimes checks every rendition: as many frames as planned, frame n at n/R,
// and key frames at the beginning of the segments and nowhere else.
func checkTimes(t *testing.T, s *store) {
	t.Helper()
	folder := t.TempDir()
	for _, r := range s.plan.Renditions {
		all := packets(t, s.file(t, folder, r.Name))
		if len(all) != s.plan.Frames {
			t.Errorf("%s: got %d frames want %d", r.Name, len(all), s.plan.Frames)
		}
		frame := s.plan.Timescale(r.Name) * s.plan.Rate.Den / s.plan.Rate.Num
		for n, p := range all {
			if want := int64(n) * frame; p.pts != want || p.duration != frame {
				t.Fatalf("%s: frame %d at %d for %d, want %d for %d", r.Name, n, p.pts, p.duration, want, frame)
			}
			if want := n%s.plan.SegmentFrames == 0; p.key != want {
				t.Errorf("%s: frame %d key %v want %v", r.Name, n, p.key, want)
			}
		}
	}
	if s.changed {
		t.Error("got different heads of a track from its chunks, want the same")
	}
}

// checkNumbers checks that the frames of every rendition are those of the source.
func checkNumbers(t *testing.T, s *store, want func(frame int) int) {
	t.Helper()
	folder := t.TempDir()
	for _, r := range s.plan.Renditions {
		for n, got := range ffmpegtest.FrameNumbers(t, s.file(t, folder, r.Name)) {
			if got != want(n) {
				t.Fatalf("%s: frame %d shows %d want %d", r.Name, n, got, want(n))
			}
		}
	}
}

func same(frame int) int { return frame }

// checkSound checks that the sound is as long as the picture and has no gap.
func checkSound(t *testing.T, s *store) {
	t.Helper()
	all := packets(t, s.file(t, t.TempDir(), encode.AudioTrack))
	for n, p := range all {
		if p.pts != int64(n)*1024 {
			t.Fatalf("sound: frame %d at %d want %d", n, p.pts, n*1024)
		}
	}
	got := float64(len(all)*1024) / 48000
	if want := s.plan.Duration().Seconds(); got < want-1024.0/48000 || got > want+2*1024.0/48000 {
		t.Errorf("sound: got %.4f s want %.4f s", got, want)
	}
}

// publish writes what a player loads.
func (s *store) publish(t testing.TB) (master string) {
	t.Helper()
	folder := t.TempDir()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	track := func(name string) hls.Track {
		tr := hls.Track{Init: name + "-init.mp4", Timescale: s.plan.Timescale(name), Done: true}
		write(tr.Init, s.inits[name])
		for n, segment := range s.inOrder(t, name) {
			url := fmt.Sprintf("%s-%d.m4s", name, n)
			write(url, segment.Bytes)
			tr.Segments = append(tr.Segments, hls.Segment{URL: url, Duration: segment.Duration,
				Bytes: int64(len(segment.Bytes)), FirstFrameBytes: int64(segment.FirstFrameBytes)})
		}
		write(name+".m3u8", hls.Media(tr))
		write(name+"-iframes.m3u8", hls.IFrames(tr))
		return tr
	}
	var renditions []hls.Rendition
	for _, r := range s.plan.Renditions {
		renditions = append(renditions, hls.Rendition{URL: r.Name + ".m3u8", IFrames: r.Name + "-iframes.m3u8",
			Width: r.Width, Height: r.Height, FrameRate: s.plan.Rate.FPS(), Codec: s.codecs[r.Name], Track: track(r.Name)})
	}
	var audio *hls.Audio
	if s.plan.Audio >= 0 {
		audio = &hls.Audio{URL: "audio.m3u8", Codec: s.codecs["audio"], Track: track("audio")}
	}
	write("master.m3u8", hls.Master(renditions, audio, nil))
	return filepath.Join(folder, "master.m3u8")
}

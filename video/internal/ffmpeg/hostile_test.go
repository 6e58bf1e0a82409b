package ffmpeg_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Files that make ffmpeg open others, were it not told to keep to the source.
func TestFilesThatNameOthersAreRefused(t *testing.T) {
	t.Parallel()
	l := listen(t)
	film := ffmpegtest.Source(t, ffmpegtest.Spec{Container: "ts"})
	hls := func(address string) string {
		return "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n" + address + "\n#EXT-X-ENDLIST\n"
	}
	host, port, _ := strings.Cut(l.address(), ":")
	tests := []struct{ name, file, content string }{
		{"playlist of a file", "a.m3u8", hls("file:///etc/passwd")},
		{"playlist of a film", "a.m3u8", hls(film)},
		{"playlist of a host", "a.m3u8", hls("http://" + l.address() + "/a.ts")},
		{"playlist by another name", "a.mp4", hls("http://" + l.address() + "/a.ts")},
		{"playlist of playlists", "a.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://" + l.address() + "/b.m3u8\n"},
		{"playlist with a key", "a.m3u8", strings.Replace(hls(film), "#EXTINF", "#EXT-X-KEY:METHOD=AES-128,URI=\"http://"+l.address()+"/key\"\n#EXTINF", 1)},
		{"list of a file", "a.ffconcat", "ffconcat version 1.0\nfile /etc/passwd\n"},
		{"list of a film", "a.mp4", "ffconcat version 1.0\nfile " + film + "\n"},
		{"list of a host", "a.mp4", "ffconcat version 1.0\nfile http://" + l.address() + "/a.mp4\n"},
		{"manifest", "a.mpd", `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT2S"><Period><AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>http://` + l.address() + `/</BaseURL><SegmentList><SegmentURL media="a.mp4"/></SegmentList></Representation></AdaptationSet></Period></MPD>`},
		{"description of a session", "a.sdp", "v=0\no=- 0 0 IN IP4 " + host + "\ns=a\nc=IN IP4 " + host + "\nt=0 0\nm=video " + port + " RTP/AVP 96\na=rtpmap:96 H264/90000\n"},
		{"address of a stream", "a.mp4", "[Reference]\nRef1=http://" + l.address() + "/a\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, err := ffmpegtest.Runner(t).Probe(t.Context(), ffmpegtest.Input(t, write(t, test.file, test.content)))
			if !errors.Is(err, ffmpeg.ErrNotVideo) {
				t.Errorf("got %+v, %v, want ErrNotVideo", m, err)
			}
			if err != nil && strings.Contains(err.Error(), "root:") {
				t.Errorf("got the content of a file: %v", err)
			}
		})
	}
	if n := l.came.Load(); n > 0 {
		t.Errorf("got %d connections, want none", n)
	}
}

func TestWhatIsNoVideoIsRefused(t *testing.T) {
	t.Parallel()
	film := content(t, ffmpegtest.Source(t, ffmpegtest.Spec{}))
	picture := []string{"-f", "lavfi", "-i", "testsrc2", "-frames:v", "1"}
	for _, path := range []string{
		write(t, "empty.mp4", ""),
		write(t, "one.mp4", "a"),
		write(t, "text.mp4", strings.Repeat("All work and no play.\n", 1000)),
		write(t, "half.mp4", film[:len(film)/2]), // the table of contents is in the other half
		write(t, "picture.svg", `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><image xlink:href="file:///etc/passwd"/></svg>`),
		write(t, "archive.mp4", "PK\x03\x04"+strings.Repeat("\x00", 1000)),
		ffmpegtest.Make(t, "picture.png", picture...),
		ffmpegtest.Make(t, "picture.jpg", picture...),
		ffmpegtest.Make(t, "picture.gif", picture...),
	} {
		if m, err := ffmpegtest.Runner(t).Probe(t.Context(), ffmpegtest.Input(t, path)); !errors.Is(err, ffmpeg.ErrNotVideo) {
			t.Errorf("%s: got %+v, %v, want ErrNotVideo", filepath.Base(path), m, err)
		}
	}
}

func TestHundredHoursAreTooLong(t *testing.T) {
	t.Parallel()
	day := []string{"-f", "lavfi", "-i", "testsrc2=s=64x64:r=1/36000:d=396000"} // a frame every 10 hours
	for _, path := range []string{
		ffmpegtest.Make(t, "long.mp4", append(day, "-video_track_timescale", "1")...),
		ffmpegtest.Make(t, "long.webm", append(day, "-c:v", "libvpx", "-f", "webm", "-live", "1")...),
	} {
		if m, err := ffmpegtest.Runner(t).Probe(t.Context(), ffmpegtest.Input(t, path)); !errors.Is(err, ffmpeg.ErrTooLong) {
			t.Errorf("%s: got %+v, %v, want ErrTooLong", filepath.Base(path), m, err)
		}
	}
}

func TestHugePicturesAreNotDecoded(t *testing.T) {
	t.Parallel()
	small := content(t, ffmpegtest.Make(t, "small.mkv", "-f", "lavfi", "-i", "testsrc2=s=300x302:d=0.2", "-c:v", "png"))
	// 300 x 302 as it stands in the picture, and in the container.
	declared := strings.ReplaceAll(small, "\x00\x00\x01\x2c\x00\x00\x01\x2e", "\x00\x00\x75\x30\x00\x00\x75\x30")
	declared = strings.ReplaceAll(declared, "\xb0\x82\x01\x2c\xba\x82\x01\x2e", "\xb0\x82\x75\x30\xba\x82\x75\x30")
	if len(declared) != len(small) || declared == small {
		t.Fatal("the sizes were not found")
	}
	bomb := write(t, "bomb.png", pixelBomb(t, 16000))
	for _, path := range []string{
		write(t, "declared.mkv", declared),
		ffmpegtest.Make(t, "bomb.mov", "-f", "png_pipe", "-i", bomb, "-c", "copy"),
		ffmpegtest.Make(t, "bomb.mkv", "-f", "png_pipe", "-i", bomb, "-c", "copy"),
	} {
		if m, err := ffmpegtest.Runner(t).Probe(t.Context(), ffmpegtest.Input(t, path)); !errors.Is(err, ffmpeg.ErrTooLarge) {
			t.Errorf("%s: got %+v, %v, want ErrTooLarge", filepath.Base(path), m, err)
		}
	}
}

// A film may keep its pictures in another file. Here that file is there, and the
// film's own bytes are gone: only who follows the reference sees a picture.
func TestReferenceToAnotherFileIsNotFollowed(t *testing.T) {
	t.Parallel()
	film := ffmpegtest.Source(t, ffmpegtest.Spec{Container: "mov"})
	path := write(t, "reference.mov", refer(t, content(t, film), film))
	in := ffmpegtest.Input(t, path)
	m, err := ffmpegtest.Runner(t).Probe(t.Context(), in)
	if err == nil {
		var picture []byte
		picture, err = ffmpegtest.Runner(t).Still(t.Context(), in, m, 0, 0)
		if len(picture) > 0 {
			t.Error("got a picture from another file")
		}
	}
	if !refusal(err) {
		t.Errorf("got %v, want a refusal", err)
	}
}

// refusal tells the errors that blame the source.
func refusal(err error) bool {
	return errors.Is(err, ffmpeg.ErrNotVideo) || errors.Is(err, ffmpeg.ErrUnsupported) ||
		errors.Is(err, ffmpeg.ErrTooLong) || errors.Is(err, ffmpeg.ErrTooLarge)
}

func TestBrokenFilesAreReadOrRefused(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	r := ffmpegtest.Runner(t)
	for _, container := range []string{"mp4", "mkv", "ts", "avi", "flv"} {
		spec := ffmpegtest.Spec{Seconds: 1, Width: 128, Height: 72, Audio: true, Container: container}
		if container == "mp4" {
			spec.Options = "-movflags +faststart" // or most of it would be lost with its end
		}
		film := content(t, ffmpegtest.Source(t, spec))
		broken := []byte(film)
		for range 1 + len(broken)/400 {
			broken[random.IntN(len(broken))] ^= 1 << random.IntN(8)
		}
		path := write(t, "broken."+container, string(broken[:len(broken)-random.IntN(len(broken)/3)]))
		in := ffmpegtest.Input(t, path)
		m, err := r.Probe(t.Context(), in)
		if err == nil && m.Video != nil {
			_, err = r.Still(t.Context(), in, m, time.Second/2, 100)
		}
		if err != nil && !refusal(err) {
			t.Errorf("%s: got %v, want a film or a refusal", container, err)
		}
	}
}

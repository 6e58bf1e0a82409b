package rtmp

import (
	"crypto/tls"
	"encoding/binary"
	"os/exec"
	"strings"
	"testing"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/internal/certtest"
	"stoa/video/internal/live"
)

// ffmpeg runs with arguments, separated by spaces, and gives what it said.
func ffmpeg(t *testing.T, stdin []byte, args string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Fatalf("ffmpeg is missing: run make deps (%v)", err)
	}
	cmd := exec.CommandContext(t.Context(), path, append([]string{"-hide_banner", "-v", "error"}, strings.Fields(args)...)...)
	if stdin != nil {
		cmd.Stdin = strings.NewReader(string(stdin))
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

const (
	pictures = "-f lavfi -i testsrc=size=160x120:rate=25:duration=2 "
	tone     = "-f lavfi -i sine=sample_rate=44100:duration=2 "
	x264     = "-c:v libx264 -preset ultrafast -bf 2 -g 25 -pix_fmt yuv420p "
)

func TestFFmpegPublishes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args    string
		query   string
		formats []string
	}{
		"picture and AAC": {pictures + tone + x264 + "-c:a aac", "", []string{"H264", "MPEG4Audio"}},
		"picture and MP3": {pictures + tone + x264 + "-c:a libmp3lame", "?token=1", []string{"H264", "MPEG1Audio"}},
		"without sound":   {pictures + x264, "/", []string{"H264"}},
		"without picture": {tone + "-c:a aac", "", []string{"MPEG4Audio"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor()
			s := serve(t, Options{Door: d})
			out, err := ffmpeg(t, nil, c.args+" -f flv rtmp://"+s.address+"/s/"+testKey+c.query)
			if err != nil {
				t.Fatalf("ffmpeg: %v\n%s\n%s", err, out, s.log)
			}
			f := <-d.came
			<-f.closed
			if f.from.Protocol != "rtmp" || !strings.HasPrefix(f.from.Address, "127.0.0.1:") {
				t.Errorf("got publisher %+v", f.from)
			}
			if len(f.starts) != 1 || len(f.starts[0]) != len(c.formats) {
				t.Fatalf("got starts %v, want one with %v\n%s", f.starts, c.formats, s.log)
			}
			for i, want := range c.formats {
				checkTrack(t, f, i, want)
			}
		})
	}
}

// checkTrack holds the frames of two seconds against their format.
func checkTrack(t *testing.T, f *feed, number int, want string) {
	frames := f.track(number)
	for i, frame := range frames {
		if i > 0 && frame.DTS <= frames[i-1].DTS || frame.PTS < frame.DTS {
			t.Errorf("%s: frame %d: got DTS %v, PTS %v after DTS %v", want, i, frame.DTS, frame.PTS, frames[i-1].DTS)
		}
	}
	switch format := f.starts[0][number].(type) {
	case *codecs.H264:
		if want != "H264" || len(frames) != 50 || !frames[0].Key || frames[1].Key || !frames[25].Key {
			t.Errorf("got %d pictures, want 50 with the 1st and 26th key", len(frames))
		}
		checkPictures(t, format, frames)
	case *codecs.MPEG4Audio:
		if want != "MPEG4Audio" || format.Config.SampleRate != 44100 || format.Config.ChannelConfig != 1 || len(frames) < 80 {
			t.Errorf("got %+v, %d frames", format, len(frames))
		}
	case *codecs.MPEG1Audio:
		if want != "MPEG1Audio" || *format != (codecs.MPEG1Audio{SampleRate: 44100, ChannelCount: 1}) || len(frames) < 70 {
			t.Errorf("got %+v, %d frames", format, len(frames))
		}
	default:
		t.Errorf("got %T, want %s", format, want)
	}
}

// checkPictures lets ffmpeg decode them: a mistake in the units would be told.
func checkPictures(t *testing.T, format *codecs.H264, frames []live.Frame) {
	mark := []byte{0, 0, 0, 1}
	raw := append(append(append(mark, format.SPS...), mark...), format.PPS...)
	for _, frame := range frames {
		for b := frame.Payload; len(b) > 4; {
			size := binary.BigEndian.Uint32(b)
			if kind := b[4] & 31; kind == 7 || kind == 8 || kind == 9 || kind == 12 {
				t.Errorf("got a unit of kind %d in a payload", kind)
			}
			raw = append(append(raw, mark...), b[4:4+size]...)
			b = b[4+size:]
		}
	}
	out, err := ffmpeg(t, raw, "-f h264 -i pipe:0 -f framecrc -")
	if shown := strings.Count(out, "\n0,"); err != nil || shown != 50 {
		t.Errorf("got %d pictures decoded (%v), want 50\n%s", shown, err, out)
	}
}

func TestFFmpegIsToldOfRefusals(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"s/00000000-dead-beef-0000-000000000000": "no live stream has this key",
		"s/busy":                                 "somebody else publishes",
		"s/broken":                               "try again",
		"live/" + testKey:                        "publish to rtmp://host/s",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{Door: newDoor()})
			out, err := ffmpeg(t, nil, pictures+x264+"-f flv rtmp://"+s.address+"/"+path)
			if err == nil || !strings.Contains(out, want) {
				t.Errorf("got %v, want it to fail and say %q:\n%s", err, want, out)
			}
			if strings.Contains(out, "10.0.0.1") {
				t.Errorf("got what is for the log only:\n%s", out)
			}
			s.stop()
			text := s.log.String()
			if !strings.Contains(text, "refused") || !strings.Contains(text, "address=127.0.0.1:") || strings.Contains(text, "00000000-") {
				t.Errorf("got log %s, want the refusal with its address, without the key", text)
			}
		})
	}
}

func TestFFmpegPublishesByTLS(t *testing.T) {
	t.Parallel()
	d := newDoor()
	authority, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files, err := authority.Issue("server", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, Options{Door: d, TLS: &tls.Config{Certificates: []tls.Certificate{pair}}})
	if out, err := ffmpeg(t, nil, pictures+x264+"-f flv rtmps://"+s.address+"/s/"+testKey); err != nil {
		t.Fatalf("ffmpeg: %v\n%s\n%s", err, out, s.log)
	}
	f := <-d.came
	<-f.closed
	if f.from.Protocol != "rtmps" || len(f.frames) != 50 {
		t.Errorf("got %d frames by %s, want 50 by rtmps", len(f.frames), f.from.Protocol)
	}
}

package ffmpeg_test

import (
	"testing"
	"time"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// copied is a film made of others without encoding them again.
func copied(t *testing.T, name, source string, options ...string) string {
	t.Helper()
	return ffmpegtest.Make(t, name, append([]string{"-i", source, "-map", "0", "-c", "copy"}, options...)...)
}

func probe(t *testing.T, path string) ffmpeg.Media {
	t.Helper()
	m, err := ffmpegtest.Runner(t).Probe(t.Context(), ffmpegtest.Input(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func near(got, want time.Duration) bool { return (got - want).Abs() <= 100*time.Millisecond }

func TestPlainFilm(t *testing.T) {
	t.Parallel()
	m := probe(t, ffmpegtest.Source(t, ffmpegtest.Spec{Rate: "30000/1001", Audio: true}))
	if m.Container != "mov,mp4,m4a,3gp,3g2,mj2" || !near(m.Duration, 2*time.Second) || m.Bitrate == 0 {
		t.Errorf("got %+v", m)
	}
	v, a := *m.Video, *m.Audio
	if v.Bitrate == 0 || !near(v.Duration, 2*time.Second) || a.Bitrate == 0 || !near(a.Duration, 2*time.Second) {
		t.Errorf("got %+v, %+v, want bitrates and 2 seconds", v, a)
	}
	v.Bitrate, v.Duration, a.Bitrate, a.Duration = 0, 0, 0, 0
	if want := (ffmpeg.VideoStream{
		Codec: "h264", PixelFormat: "yuv420p", Width: 320, Height: 180, FrameRate: ffmpeg.Rate{Num: 30000, Den: 1001},
	}); v != want {
		t.Errorf("got %+v, want %+v", v, want)
	}
	if want := (ffmpeg.AudioStream{Index: 1, Codec: "aac", SampleRate: 48000, Channels: 1}); a != want {
		t.Errorf("got %+v, want %+v", a, want)
	}
}

func TestFilmWithoutSound(t *testing.T) {
	t.Parallel()
	if m := probe(t, ffmpegtest.Source(t, ffmpegtest.Spec{})); m.Video == nil || m.Audio != nil {
		t.Errorf("got %+v, want pictures alone", m)
	}
}

func TestSizeIsAsShown(t *testing.T) {
	t.Parallel()
	plain := ffmpegtest.Source(t, ffmpegtest.Spec{})
	tests := []struct {
		name          string
		path          string
		width, height int
		rotation      int
	}{
		// The option counts the other way round.
		{"phone upright", copied(t, "90.mp4", plain, "-metadata:s:v:0", "rotate=270"), 180, 320, 90},
		{"phone the other way round", copied(t, "270.mov", plain, "-metadata:s:v:0", "rotate=90"), 180, 320, 270},
		{"wide pixels", ffmpegtest.Source(t, ffmpegtest.Spec{Width: 360, Height: 288, Options: "-vf setsar=64/45"}), 512, 288, 0},
		{"odd", ffmpegtest.Make(t, "odd.mkv", "-f", "lavfi", "-i", "testsrc2=s=854x482:d=1,format=yuv444p,crop=853:481", "-c:v", "ffv1"), 853, 481, 0},
		{"one pixel", ffmpegtest.Make(t, "one.mkv", "-f", "lavfi", "-i", "color=s=2x2:d=1,format=yuv444p,crop=1:1", "-c:v", "ffv1"), 1, 1, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := probe(t, test.path)
			v := m.Video
			if v.Width != test.width || v.Height != test.height || v.Rotation != test.rotation {
				t.Errorf("got %dx%d turned by %d, want %dx%d turned by %d",
					v.Width, v.Height, v.Rotation, test.width, test.height, test.rotation)
			}
			still(t, test.path, m, 0) // and a picture of it can be made
		})
	}
}

func TestUnevenFramesGetAnEvenRate(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Source(t, ffmpegtest.Spec{
		Seconds: 4, Rate: "30", Options: "-vf select='not(mod(n\\,7))+not(mod(n\\,4))' -fps_mode vfr",
	})
	v := probe(t, path).Video
	if !v.Variable || v.FrameRate.Den != 1 || v.FrameRate.Num < 10 || v.FrameRate.Num > 30 {
		t.Errorf("got %+v, want a variable rate made even", v)
	}
}

func TestHDRIsTold(t *testing.T) {
	t.Parallel()
	for transfer, want := range map[string]bool{
		"smpte2084 -color_primaries bt2020 -colorspace bt2020nc": true,
		"arib-std-b67": true, // and nothing said of the colours
		"bt709":        false,
	} {
		path := ffmpegtest.Source(t, ffmpegtest.Spec{Options: "-pix_fmt yuv420p10le -color_trc " + transfer})
		m := probe(t, path)
		if m.Video.HDR != want || m.Video.PixelFormat != "yuv420p10le" {
			t.Errorf("%s: got %+v, want HDR %v", transfer, m.Video, want)
		}
		still(t, path, m, time.Second)
	}
}

func TestSurroundSound(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Source(t, ffmpegtest.Spec{Audio: true, Container: "mkv", Options: "-af pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0"})
	if a := probe(t, path).Audio; a.Channels != 6 {
		t.Errorf("got %+v, want 6 channels", a)
	}
}

func TestSoundAlone(t *testing.T) {
	t.Parallel()
	tone := []string{"-f", "lavfi", "-i", "sine=d=2"}
	cover := []string{"-f", "lavfi", "-i", "testsrc2=d=0.04", "-map", "0", "-map", "1", "-c:v", "mjpeg", "-disposition:v:0", "attached_pic"}
	for _, path := range []string{
		ffmpegtest.Make(t, "tone.mp3", tone...),
		ffmpegtest.Make(t, "tone.wav", tone...),
		ffmpegtest.Make(t, "cover.m4a", append(tone, cover...)...),
		ffmpegtest.Make(t, "cover.mp3", append(tone, cover...)...),
	} {
		if m := probe(t, path); m.Video != nil || m.Audio == nil || !near(m.Duration, 2*time.Second) {
			t.Errorf("%s: got %+v, want 2 seconds of sound alone", path, m)
		}
	}
}

func TestBestOfSeveralStreams(t *testing.T) {
	t.Parallel()
	in := []string{
		"-f", "lavfi", "-i", "testsrc2=s=160x90:d=1", "-f", "lavfi", "-i", "testsrc2=s=320x180:d=1",
		"-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "sine=d=1",
		"-map", "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "ffv1", "-c:a", "flac",
	}
	tests := []struct {
		name, defaults string
		video, audio   int
	}{
		{"the largest", "0", 1, 2},
		{"the default", "default", 0, 2},
	}
	for _, test := range tests {
		path := ffmpegtest.Make(t, "several.mkv", append(in, "-disposition:v:0", test.defaults, "-disposition:v:1", "0", "-disposition:a:0", "0", "-disposition:a:1", "0")...)
		m := probe(t, path)
		if m.Video.Index != test.video || m.Audio.Index != test.audio {
			t.Errorf("%s: got %d and %d, want %d and %d", test.name, m.Video.Index, m.Audio.Index, test.video, test.audio)
		}
	}
}

func TestSubtitlesAreNoHindrance(t *testing.T) {
	t.Parallel()
	vtt := write(t, "words.vtt", "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n")
	path := ffmpegtest.Make(t, "words.mkv", "-i", vtt, "-f", "lavfi", "-i", ffmpegtest.Pictures(ffmpegtest.Spec{}), "-map", "0", "-map", "1", "-c:v", "libx264")
	if v := probe(t, path).Video; v.Index != 1 {
		t.Errorf("got %+v, want the second stream", v)
	}
}

func TestTimesCountFromTheStart(t *testing.T) {
	t.Parallel()
	plain := ffmpegtest.Source(t, ffmpegtest.Spec{Audio: true})
	m := probe(t, copied(t, "far.ts", plain, "-output_ts_offset", "50000"))
	if !near(m.Duration, 2*time.Second) || !near(m.Video.Start, 0) || !near(m.Audio.Start, 0) {
		t.Errorf("got %v, pictures from %v, sound from %v, want 2s from 0", m.Duration, m.Video.Start, m.Audio.Start)
	}
	m = probe(t, ffmpegtest.Make(t, "late.mkv", "-itsoffset", "1", "-i", plain, "-i", plain, "-map", "0:a", "-map", "1:v", "-c", "copy"))
	if !near(m.Duration, 3*time.Second) || !near(m.Video.Start, 0) || !near(m.Audio.Start, time.Second) {
		t.Errorf("got %v, pictures from %v, sound from %v, want 3s from 0 and 1s", m.Duration, m.Video.Start, m.Audio.Start)
	}
}

// What lies before zero is cut off by some containers and kept by others, and
// one of them makes large numbers of it.
func TestTimesBeforeZero(t *testing.T) {
	t.Parallel()
	plain := ffmpegtest.Source(t, ffmpegtest.Spec{Audio: true})
	for _, name := range []string{"negative.mp4", "negative.mkv", "negative.flv"} {
		path := copied(t, name, plain, "-output_ts_offset", "-1", "-avoid_negative_ts", "disabled")
		m := probe(t, path)
		if m.Duration < 900*time.Millisecond || m.Duration > 2200*time.Millisecond || m.Video.Start < 0 || m.Audio.Start < 0 {
			t.Errorf("%s: got %v, pictures from %v, sound from %v", name, m.Duration, m.Video.Start, m.Audio.Start)
		}
		still(t, path, m, time.Second/2)
	}
}

// Browsers record without knowing how long it will be.
func TestDurationThatTheHeaderLacks(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 3, Container: "webm", Options: "-f webm -live 1"})
	if m := probe(t, path); !near(m.Duration, 3*time.Second) || m.Video.Variable {
		t.Errorf("got %+v, want 3 seconds", m)
	}
}

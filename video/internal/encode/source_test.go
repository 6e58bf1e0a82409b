package encode_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestUnevenFramesBecomeEven(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Make(t, "vfr.mkv", "-f", "lavfi", "-i", ffmpegtest.Pictures(ffmpegtest.Spec{Seconds: 12}),
		"-vf", `select=not(eq(mod(n\,7)\,3))`, "-fps_mode", "vfr", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "40")
	s := encodeFile(t, path)
	checkTimes(t, s)
	checkNumbers(t, s, func(n int) int {
		shown := 0
		for k := range 300 { // the last frame of the source whose time is nearest to that of n, or before
			if k%7 != 3 && int(math.Floor(float64(k)*s.plan.Rate.FPS()/25+0.5)) <= n {
				shown = k
			}
		}
		return shown
	})
}

func TestTransportStreamFarFromZero(t *testing.T) {
	t.Parallel()
	s := encodeFile(t, ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 30, Rate: "10", Container: "ts", GOP: 70, Options: "-output_ts_offset 5000"}))
	if at := 4 * time.Duration(s.plan.FirstSegment(s.plan.Chunks()-1)) * time.Second; at <= s.plan.Lead {
		t.Fatalf("the last chunk begins at %v, which needs no seeking", at)
	}
	checkTimes(t, s)
	checkNumbers(t, s, same)
}

// Browsers record such files: the size follows the quality of the line.
func TestPictureThatChangesItsSize(t *testing.T) {
	t.Parallel()
	large := ffmpegtest.Source(t, ffmpegtest.Spec{Container: "ts"})
	small := ffmpegtest.Source(t, ffmpegtest.Spec{Container: "ts", Width: 288, Height: 162, Options: "-output_ts_offset 2.08"}) // 2 s, and what the other was moved by
	in := ffmpeg.Input{Parts: append(ffmpegtest.Input(t, large).Parts, ffmpegtest.Input(t, small).Parts...)}
	s := encodeAll(t, encode.Source{Input: in}, plan(t, probe(t, in), encode.Options{}))
	checkTimes(t, s)
	checkNumbers(t, s, func(n int) int { return n % 50 })
}

func TestPhoneFilmIsTurnedUpright(t *testing.T) {
	t.Parallel()
	path := ffmpegtest.Make(t, "turned.mp4", "-i", ffmpegtest.Source(t, ffmpegtest.Spec{}), "-c", "copy", "-metadata:s:v:0", "rotate=90")
	s := encodeFile(t, path)
	r := s.plan.Renditions[0]
	if r.Width != 180 || r.Height != 320 {
		t.Errorf("got %dx%d want 180x320", r.Width, r.Height)
	}
	checkTimes(t, s)
	back := ffmpegtest.Make(t, "back.mp4", "-i", s.file(t, t.TempDir(), r.Name), "-vf", "transpose=clock", "-fps_mode", "passthrough")
	if got := ffmpegtest.FrameNumbers(t, back); len(got) != 50 || got[17] != 17 {
		t.Errorf("got frames %v want 0 to 49", got)
	}
}

// beep is a source with sound from 3 s to 3.5 s only.
func beep(t *testing.T) string {
	t.Helper()
	return ffmpegtest.Make(t, "beep.mp4", "-f", "lavfi", "-i", ffmpegtest.Pictures(ffmpegtest.Spec{Seconds: 10}),
		"-f", "lavfi", "-i", "aevalsrc='if(between(t,3,3.5),sin(2000*PI*t),0)':d=10:s=44100",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", "-ac", "6")
}

// heard is when the sound of a track begins.
func heard(t *testing.T, path string) float64 {
	t.Helper()
	out, err := exec.Command("ffmpeg", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "f32le", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; len(out) >= 4; n, out = n+1, out[4:] {
		if math.Abs(float64(math.Float32frombits(binary.LittleEndian.Uint32(out)))) > 0.1 {
			return float64(n) / 48000
		}
	}
	t.Fatal("got silence want a beep")
	return 0
}

// A transport stream that was cut somewhere: the next picture that can be decoded is
// later than the sound, or the other way round.
func TestPictureAndSoundThatBeginApart(t *testing.T) {
	t.Parallel()
	for name, late := range map[string][]string{
		"picture":           {"-vf", "trim=start=1"},
		"sound":             {"-af", "atrim=start=1"},
		"picture from zero": {"-vf", "trim=start=1", "-muxdelay", "0", "-muxpreload", "0"},
	} {
		args := append([]string{"-copyts", "-i", beep(t), "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "mp2", "-ac", "2"}, late...)
		s := encodeFile(t, ffmpegtest.Make(t, "apart.ts", args...))
		checkTimes(t, s)
		checkSound(t, s)
		numbers := ffmpegtest.FrameNumbers(t, s.file(t, t.TempDir(), "240p"))
		shown := float64(slices.Index(numbers, 75)) / 25
		if got := heard(t, s.file(t, t.TempDir(), "audio")); math.Abs(got-shown) > 0.045 {
			t.Errorf("late %s: sound begins at %.3f s, its picture at %.3f s", name, got, shown)
		}
	}
}

func TestClipIsCutAtTheFrame(t *testing.T) {
	t.Parallel()
	in := ffmpegtest.Input(t, beep(t))
	p := plan(t, probe(t, in), encode.Options{Start: 2200 * time.Millisecond, End: 9 * time.Second})
	if p.Frames != 170 {
		t.Errorf("got %d frames want 170", p.Frames)
	}
	s := encodeAll(t, encode.Source{Input: in}, p)
	checkTimes(t, s)
	checkNumbers(t, s, func(n int) int { return n + 55 })
	checkSound(t, s)
	if got := heard(t, s.file(t, t.TempDir(), "audio")); math.Abs(got-0.8) > 0.01 {
		t.Errorf("sound begins at %.4f s want 0.8 s", got)
	}
}

// The whole way of a player: playlists, six channels made two, sound in its place;
// and the same as one file.
func TestPlaylistsPlayAndJoin(t *testing.T) {
	t.Parallel()
	s := encodeFile(t, beep(t))
	master := s.publish(t)
	streams := ffprobe(t, "-show_entries", "stream=codec_name,profile,pix_fmt,channels,sample_rate,start_time", "-of", "compact=p=0", master)
	for _, want := range []string{
		"codec_name=h264|profile=High|pix_fmt=yuv420p|start_time=0.000000",
		"codec_name=aac|profile=LC|sample_rate=48000|channels=2|start_time=0.000000",
	} {
		if !strings.Contains(streams, want) {
			t.Errorf("got %s want %s", streams, want)
		}
	}
	if got := ffmpegtest.FrameNumbers(t, master); len(got) != 250 || got[249] != 249 {
		t.Errorf("got %d frames want 250", len(got))
	}
	if got := heard(t, master); math.Abs(got-3) > 0.01 {
		t.Errorf("sound begins at %.4f s want 3 s", got)
	}
	first := s.inOrder(t, "240p")[1]
	picture := filepath.Join(filepath.Dir(master), "first.mp4")
	if err := os.WriteFile(picture, append(s.inits["240p"], first.Bytes[:first.FirstFrameBytes]...), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ffmpegtest.FrameNumbers(t, picture, "-err_detect", "ignore_err"); len(got) != 1 || got[0] != 100 {
		t.Errorf("the beginning of a segment shows frames %v want 100", got)
	}

	folder := t.TempDir()
	s.file(t, folder, "240p")
	s.file(t, folder, "audio")
	if err := encode.Remux(t.Context(), ffmpegtest.Runner(t), folder, "240p.mp4", "audio.mp4", "whole.mp4"); err != nil {
		t.Fatal(err)
	}
	whole := folder + "/whole.mp4"
	if got := ffmpegtest.FrameNumbers(t, whole); len(got) != 250 || got[100] != 100 {
		t.Errorf("MP4: got %d frames want 250", len(got))
	}
	if got := heard(t, whole); math.Abs(got-3) > 0.01 {
		t.Errorf("MP4: sound begins at %.4f s want 3 s", got)
	}
	checkFastStart(t, whole)
}

func TestHighDynamicRangeIsMapped(t *testing.T) {
	t.Parallel()
	s := encodeFile(t, ffmpegtest.Make(t, "hdr.mp4", "-f", "lavfi", "-i", ffmpegtest.Pictures(ffmpegtest.Spec{}),
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le",
		"-color_trc", "smpte2084", "-color_primaries", "bt2020", "-colorspace", "bt2020nc"))
	if !s.plan.HDR {
		t.Error("got a plan without tone mapping want one with")
	}
	checkTimes(t, s)
	checkNumbers(t, s, same)
	got := ffprobe(t, "-show_entries", "stream=pix_fmt,color_space,color_transfer,color_primaries", "-of", "compact=p=0", s.file(t, t.TempDir(), "240p"))
	if want := "pix_fmt=yuv420p|color_space=bt709|color_transfer=bt709|color_primaries=bt709\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}

func TestSoundAloneGetsABlackPicture(t *testing.T) {
	t.Parallel()
	s := encodeFile(t, ffmpegtest.Make(t, "sound.mp3", "-f", "lavfi", "-i", "sine=440:d=9.5"))
	checkTimes(t, s)
	checkSound(t, s)
	if got := len(s.pictures); got != 2 {
		t.Errorf("got %d pictures want 2", got)
	}
}

// Sizes that 4:2:0 cannot have, fields, and films of a frame or two.
func TestOddSources(t *testing.T) {
	t.Parallel()
	for name, options := range map[string][]string{
		"odd size":   {"-pix_fmt", "yuv444p", "-s", "321x241"},
		"fields":     {"-pix_fmt", "yuv420p", "-flags", "+ilme+ildct", "-vf", "tinterlace=interleave_top,fieldorder=tff"},
		"one frame":  {"-pix_fmt", "yuv420p", "-frames:v", "1"},
		"two frames": {"-pix_fmt", "yuv420p", "-frames:v", "2"},
		"full range": {"-pix_fmt", "yuvj420p"},
		"120 fps":    {"-pix_fmt", "yuv420p", "-r", "120"},
	} {
		args := append([]string{"-f", "lavfi", "-i", "testsrc2=s=320x240:r=30:d=1.5", "-c:v", "libx264", "-preset", "ultrafast"}, options...)
		s := encodeFile(t, ffmpegtest.Make(t, "odd.mp4", args...))
		checkTimes(t, s)
		got := ffprobe(t, "-show_entries", "stream=pix_fmt,color_range,field_order", "-of", "csv=p=0", s.file(t, t.TempDir(), "240p"))
		if !strings.HasPrefix(got, "yuv420p,") || strings.Contains(got, "pc") {
			t.Errorf("%s: got %s want yuv420p in tv range", name, got)
		}
	}
}

// A hundred of them are on a sheet, whose sides a JPEG must be able to have.
func TestPicturesOfATallVideoAreNarrow(t *testing.T) {
	t.Parallel()
	s := encodeFile(t, ffmpegtest.Make(t, "tall.mp4", "-f", "lavfi", "-i", "color=red:s=16x8000:r=5:d=1",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"))
	checkTimes(t, s)
	got, err := jpeg.DecodeConfig(bytes.NewReader(s.pictures[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got.Width != 16 || got.Height != 640 {
		t.Errorf("got %dx%d want 16x640", got.Width, got.Height)
	}
}

func TestWatermarkIsBurntIn(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	mark := image.NewGray(image.Rect(0, 0, 40, 20))
	draw.Draw(mark, mark.Bounds(), image.White, image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, mark); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(folder+"/mark.png", b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	in := ffmpegtest.Input(t, ffmpegtest.Make(t, "black.mp4", "-f", "lavfi", "-i", "color=black:s=320x240:r=10:d=1", "-pix_fmt", "yuv420p"))
	half := encode.Watermark{Right: "20px", Bottom: "10px", Opacity: "50%", ImageWidth: 40, ImageHeight: 20, Format: "png"}
	full := encode.Watermark{Left: "10%", Top: "10%", Height: "20%", ImageWidth: 40, ImageHeight: 20, Format: "png"}
	p := plan(t, probe(t, in), encode.Options{Watermarks: []encode.Watermark{half, full}})
	s := encodeAll(t, encode.Source{Input: in, Images: []string{"mark.png", "mark.png"}, Folder: folder}, p)

	out, err := exec.Command("ffmpeg", "-v", "error", "-i", s.file(t, folder, "240p"), "-vf", "format=gray", "-f", "rawvideo", "-").Output()
	if err != nil || len(out) != 10*320*240 {
		t.Fatalf("got %d bytes (%v) want 10 pictures", len(out), err)
	}
	picture := out[9*320*240:]
	for _, test := range []struct{ x, y, want int }{
		{280, 220, 126}, {262, 212, 126}, {298, 228, 126}, // half
		{80, 48, 235}, {36, 28, 235}, {124, 68, 235}, // full
		{160, 120, 16}, {305, 220, 16}, {280, 235, 16}, {20, 48, 16}, {140, 48, 16}, // beside them
	} {
		if got := int(picture[test.y*320+test.x]); got < test.want-25 || got > test.want+25 {
			t.Errorf("at %d,%d: got light %d want %d", test.x, test.y, got, test.want)
		}
	}
}

// checkFastStart checks that a player finds the index before the samples.
func checkFastStart(t *testing.T, path string) {
	t.Helper()
	out := ffprobe(t, "-v", "trace", path)
	moov, mdat := strings.Index(out, "type:'moov'"), strings.Index(out, "type:'mdat'")
	if moov < 0 || mdat < 0 || moov > mdat || strings.Contains(out[:mdat], "type:'moof'") {
		t.Errorf("got moov at %d, mdat at %d want moov first", moov, mdat)
	}
}

package encode

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/goldentest"
	"stoa/video/internal/ffmpeg"
)

// film is a source of a minute and a second with sound.
func film(width, height int) ffmpeg.Media {
	return ffmpeg.Media{
		Container: "mov,mp4,m4a,3gp,3g2,mj2", Duration: 61 * time.Second,
		Video: &ffmpeg.VideoStream{Width: width, Height: height, FrameRate: ffmpeg.Rate{Num: 30000, Den: 1001}},
		Audio: &ffmpeg.AudioStream{Index: 1},
	}
}

func planned(t *testing.T, m ffmpeg.Media, o Options) Plan {
	t.Helper()
	p, err := NewPlan(m, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// listed is for reading: a line for each option, and one for each chain of filters.
func listed(args []string) string {
	var text strings.Builder
	for i, a := range args {
		if option := len(a) > 1 && a[0] == '-' && a[1] > '9'; i > 0 && option {
			text.WriteByte('\n')
		} else if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(strings.ReplaceAll(a, ";", ";\n  "))
	}
	return text.String() + "\n"
}

func TestArguments(t *testing.T) {
	t.Parallel()
	source := Source{Input: ffmpeg.Input{Parts: []ffmpeg.Part{{Path: "/blobs/source", Size: 1000}}}, Images: []string{"mark.png"}, Folder: "/scratch"}

	plain := planned(t, film(1920, 1080), Options{})
	goldentest.Check(t, "testdata/chunk.golden", listed(chunkArgs(source, plain, 0, 3)))
	goldentest.Check(t, "testdata/audio.golden", listed(audioArgs(source, plain)))

	clip := film(640, 360)
	clip.Container, clip.Video.Index, clip.Video.HDR = "mpegts", 3, true
	marked := planned(t, clip, Options{Start: 20500 * time.Millisecond, Watermarks: []Watermark{
		{Right: "10px", Bottom: "5%", Width: "20%", Opacity: "70%", ImageWidth: 400, ImageHeight: 100, Format: "png"},
	}})
	goldentest.Check(t, "testdata/chunk_clip.golden", listed(chunkArgs(source, marked, 5, 7)))
	goldentest.Check(t, "testdata/audio_clip.golden", listed(audioArgs(source, marked)))

	silent := film(0, 0)
	silent.Video = nil
	goldentest.Check(t, "testdata/chunk_black.golden", listed(chunkArgs(Source{}, planned(t, silent, Options{}), 4, 5)))

	goldentest.Check(t, "testdata/remux.golden", listed(remuxArgs("720p.mp4", "audio.mp4", "source.mp4")))
	goldentest.Check(t, "testdata/remux_silent.golden", listed(remuxArgs("720p.mp4", "", "source.mp4")))
}

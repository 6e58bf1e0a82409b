package ffmpegtest_test

import (
	"slices"
	"testing"

	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

func TestFramesAreNumbered(t *testing.T) {
	t.Parallel()
	for _, spec := range []ffmpegtest.Spec{
		{},
		{Width: 853, Height: 480, Rate: "30000/1001", Audio: true},
		{Width: 180, Height: 320, Container: "webm"},
	} {
		got := ffmpegtest.FrameNumbers(t, ffmpegtest.Source(t, spec))
		want := make([]int, len(got))
		for i := range want {
			want[i] = i
		}
		if len(got) < 48 || !slices.Equal(got, want) {
			t.Errorf("%+v: got frames %v", spec, got)
		}
	}
}

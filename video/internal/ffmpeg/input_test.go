package ffmpeg_test

import (
	"slices"
	"testing"

	"stoa/video/internal/ffmpeg"
)

func TestInputOpensNothingElse(t *testing.T) {
	t.Parallel()
	const formats = "mov,matroska,avi,mpegts,mpeg,flv,asf,ogg,mxf,gxf,dv,wtv,ivf,rm,mp3,aac,flac,wav,w64,aiff,caf,amr"
	one := ffmpeg.Part{Path: "/a/source/00001", Size: 10}
	tests := []struct {
		name            string
		parts           []ffmpeg.Part
		protocols, open string
	}{
		{"one part", []ffmpeg.Part{one}, "file,subfile", "subfile,,start,0,end,10,,:/a/source/00001"},
		{"several", []ffmpeg.Part{one, one}, "file,subfile,concatf,pipe", "concatf:pipe:0"},
	}
	for _, test := range tests {
		got := ffmpeg.Input{Parts: test.parts}.Args()
		want := []string{"-protocol_whitelist", test.protocols, "-format_whitelist", formats,
			"-max_pixels", "67108864", "-max_streams", "64", "-i", test.open}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}

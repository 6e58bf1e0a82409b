package ffmpeg

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestLengthOfPackets(t *testing.T) {
	t.Parallel()
	var s span
	for _, piece := range []string{
		"pts_time=10.000000|dts_time=9.9|dura", "tion_time=0.040000\n",
		"pts_time=N/A|dts_time=9.500000|duration_time=N/A\nsomething else\n",
		"pts_time=12.000000|dts_time=N/A|duration_time=0.500000\n",
	} {
		if _, err := s.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.last - s.first; got != 3*time.Second {
		t.Errorf("got %v, want 3s", got)
	}
	if _, err := s.Write([]byte("pts_time=90000\n")); !errors.Is(err, ErrTooLong) {
		t.Errorf("got %v, want ErrTooLong", err)
	}
	if _, err := new(span).Write([]byte(strings.Repeat("a", 5000))); err == nil {
		t.Error("got no error for a line without end")
	}
}

func TestSizeOfTurnedAndStretchedPictures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, aspect string
		rotation     float64
		wantSize     [2]int
		wantRotation int
	}{
		{"plain", "1:1", 0, [2]int{320, 180}, 0},
		{"no aspect", "0:1", 0, [2]int{320, 180}, 0},
		{"wide", "4:3", 0, [2]int{427, 180}, 0},
		{"narrow", "1:2", 0, [2]int{160, 180}, 0},
		{"absurdly narrow", "1:1000", 0, [2]int{320, 180}, 0},
		{"nonsense", "a:b", 0, [2]int{320, 180}, 0},
		{"upright", "", -90, [2]int{180, 320}, 90},
		{"upright and wide", "2:1", -90, [2]int{180, 640}, 90},
		{"the other way round", "", 90, [2]int{180, 320}, 270},
		{"on its head", "", -180, [2]int{320, 180}, 180},
		{"on its head from the other side", "", 180, [2]int{320, 180}, 180},
		{"all the way", "", 360, [2]int{320, 180}, 0},
		{"leaning", "", -12.4, [2]int{320, 180}, 12},
	}
	for _, test := range tests {
		answer := fmt.Sprintf(`{"streams":[{"codec_type":"video","codec_name":"h264","width":320,"height":180,
			"sample_aspect_ratio":%q,"side_data_list":[{},{"rotation":%v}]}]}`, test.aspect, test.rotation)
		m, err := read([]byte(answer), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]int{m.Video.Width, m.Video.Height}; got != test.wantSize || m.Video.Rotation != test.wantRotation {
			t.Errorf("%s: got %v turned by %d, want %v turned by %d", test.name, got, m.Video.Rotation, test.wantSize, test.wantRotation)
		}
	}
}

// ProRes RAW is one of them.
func TestUnknownCodecIsUnsupported(t *testing.T) {
	t.Parallel()
	for _, codec := range []string{"", "unknown"} {
		answer := fmt.Sprintf(`{"streams":[{"codec_type":"video","codec_name":%q,"width":320,"height":180}]}`, codec)
		if _, err := read([]byte(answer), nil); !errors.Is(err, ErrUnsupported) {
			t.Errorf("%q: got %v, want ErrUnsupported", codec, err)
		}
	}
}

// What ffprobe says is written by the source in good part.
func FuzzProbeAnswer(f *testing.F) {
	f.Add([]byte(`{"streams":[{"index":0,"codec_name":"h264","codec_type":"video","width":320,"height":180,
		"sample_aspect_ratio":"1:1","r_frame_rate":"25/1","avg_frame_rate":"25/1","start_time":"1.4",
		"side_data_list":[{"rotation":-90}],"disposition":{"default":1}},
		{"index":1,"codec_name":"aac","codec_type":"audio","sample_rate":"48000","channels":2}],
		"format":{"format_name":"mov","start_time":"1.4","duration":"2.0","bit_rate":"309296"}}`))
	f.Add([]byte(`{"streams":[{"codec_name":"png","codec_type":"video","width":30000,"height":30000}],"format":{"duration":"1e300"}}`))
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, answer []byte) {
		m, err := read(answer, nil)
		if err != nil {
			return
		}
		if m.Video == nil && m.Audio == nil {
			t.Error("got neither pictures nor sound, and no error")
		}
		if v := m.Video; v != nil && (v.Width < 1 || v.Height < 1 || v.Width > 4*MaxPixels || v.Rotation < 0 || v.Rotation > 359) {
			t.Errorf("got %+v", v)
		}
	})
}

func FuzzPackets(f *testing.F) {
	f.Add([]byte("pts_time=1.0|dts_time=N/A|duration_time=0.04\npts_time=-1e300\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		var s span
		if _, err := s.Write(lines); err == nil && (s.last < s.first || s.tooLong() && len(s.rest) > 0) {
			t.Errorf("got %v to %v", s.first, s.last)
		}
	})
}

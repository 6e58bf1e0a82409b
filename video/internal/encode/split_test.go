package encode

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func boxOf(kind string, body ...[]byte) []byte {
	all := slices.Concat(body...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(all))), []byte(kind), all)
}

func numbers(n ...uint32) (b []byte) {
	for _, n := range n {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

// sampleInit is the head of a track of H.264.
func sampleInit() []byte {
	entry := boxOf("avc1", make([]byte, 78), boxOf("avcC", []byte{1, 0x64, 0, 0x1f, 0xff}))
	stsd := boxOf("stsd", numbers(0, 1), entry)
	trak := boxOf("trak", boxOf("tkhd", make([]byte, 84)), boxOf("mdia", boxOf("minf", boxOf("stbl", stsd))))
	return slices.Concat(boxOf("ftyp", []byte("iso5")), boxOf("moov", trak))
}

// sampleFragment is two frames of 100 units, the first of 3 bytes.
func sampleFragment() []byte {
	tfhd := boxOf("tfhd", numbers(0x020000|tfhdDuration, 1, 100))
	tfdt := boxOf("tfdt", numbers(1<<24, 0, 7777))
	trun := func(offset uint32) []byte {
		return boxOf("trun", numbers(trunOffset|trunSize|trunCompositionTime, 2, offset, 3, 200, 2, 300))
	}
	moof := func(offset uint32) []byte {
		return boxOf("moof", boxOf("mfhd", numbers(0, 1)), boxOf("traf", tfhd, tfdt, trun(offset)))
	}
	return slices.Concat(moof(uint32(len(moof(0))+8)), boxOf("mdat", []byte("IIIPP")))
}

func TestSplitSetsSegmentsToTheirPlace(t *testing.T) {
	t.Parallel()
	stream := slices.Concat(sampleInit(), sampleFragment(), boxOf("free"), sampleFragment())
	var init []byte
	var got []string
	tr := &track{
		number: 12, at: 5000, delay: 200,
		init: func(b []byte, codec string) error {
			init, got = b, append(got, codec)
			return nil
		},
		segment: func(number int, s Segment) error {
			f, err := readFragment(box{kind: "moof", bytes: s.Bytes[:binary.BigEndian.Uint32(s.Bytes)], head: 8})
			if err != nil {
				return err
			}
			got = append(got, fmt.Sprint(number, binary.BigEndian.Uint32(f.sequence), binary.BigEndian.Uint64(f.decodeTime),
				s.Frames, s.Duration, " ", string(s.Bytes[s.FirstFrameBytes-3:])))
			return nil
		},
	}
	if err := tr.split(bytes.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	want := []string{"avc1.64001f", "12 13 5000 2 200 IIIPP", "13 14 5200 2 200 IIIPP"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q want %q", got, want)
	}
	elst, ok := find(init, "moov", "trak", "edts", "elst")
	if !ok || !bytes.Equal(elst.body(), numbers(0, 1, 0, 200, 1<<16)) {
		t.Errorf("got edit list %x want one that begins at 200", elst.body())
	}
}

// A piece without B-frames waits for nothing between decoding and showing: it is
// decoded later, so that it is shown when the others would be.
func TestFragmentWithoutReorderingIsShownInTime(t *testing.T) {
	t.Parallel()
	f := fragment{wait: 0, sequence: make([]byte, 4), decodeTime: make([]byte, 8)}
	if err := f.place(0, 5200); err != nil || binary.BigEndian.Uint64(f.decodeTime) != 5200 {
		t.Errorf("got %x (%v) want 5200", f.decodeTime, err)
	}
	f.wait = 5300
	if err := f.place(0, 5200); err == nil {
		t.Error("got no error of a time below zero, want one")
	}
}

func FuzzSplit(f *testing.F) {
	whole := slices.Concat(sampleInit(), sampleFragment())
	f.Add(whole)
	f.Add(whole[:len(whole)-2])
	f.Add(numbers(1, 0x6d646174, 0x7fffffff, 0xffffffff))
	f.Add(numbers(0, 0x6d646174))
	f.Fuzz(func(t *testing.T, b []byte) {
		tr := &track{
			delay: 200,
			init:  func([]byte, string) error { return nil },
			segment: func(_ int, s Segment) error {
				if s.FirstFrameBytes > len(s.Bytes) || s.Frames < 1 || s.Duration < 1 {
					t.Errorf("got %d of %d bytes, %d frames for %d", s.FirstFrameBytes, len(s.Bytes), s.Frames, s.Duration)
				}
				return nil
			},
		}
		_ = tr.split(bytes.NewReader(b))
	})
}

func TestReadPictures(t *testing.T) {
	t.Parallel()
	head := "--ffmpeg\r\nContent-type: image/jpeg\r\nContent-length: "
	for name, test := range map[string]struct {
		stream string
		want   []string
		fails  bool
	}{
		"none":       {"--ffmpeg\r\n", nil, false},
		"two":        {head + "3\r\n\r\nabc\r\n" + head + "2\r\n\r\nde\r\n--ffmpeg\r\n", []string{"abc", "de"}, false},
		"cut":        {head + "3\r\n\r\nab", nil, true},
		"no length":  {"--ffmpeg\r\nContent-type: image/jpeg\r\n\r\nabc", nil, true},
		"huge":       {head + "99999999999\r\n\r\nabc", nil, true},
		"below zero": {head + "-1\r\n\r\nabc", nil, true},
	} {
		var got []string
		err := readPictures(strings.NewReader(test.stream), func(jpeg []byte) error {
			got = append(got, string(jpeg))
			return nil
		})
		if !slices.Equal(got, test.want) || (err != nil) != test.fails {
			t.Errorf("%s: got %q (%v) want %q", name, got, err, test.want)
		}
	}
}

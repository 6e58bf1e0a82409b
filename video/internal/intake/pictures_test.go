package intake_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

func TestParameterSetsBecomeTheFormat(t *testing.T) {
	t.Parallel()
	var (
		sps, otherSPS = unhex(t, "6742c00cd901419f9f011000000300100000030320f142a480"), unhex(t, "6742c01ed900a02ff97011000003000100000300320f162e48")
		pps, otherPPS = unhex(t, "68ce0fc8"), unhex(t, "68ce3c80")
		numbered      = unhex(t, "685e0fc8") // 1; the others have 0
		idr, slice    = []byte{0x65, 9}, []byte{0x41, 9}
		sei           = []byte{0x06, 5}
		aud, filler   = []byte{0x09, 0xf0}, []byte{0x0c, 0xff}
	)
	p := intake.H264()
	var last live.Format
	for _, test := range []struct {
		name    string
		units   [][]byte
		payload [][]byte // nil: nothing is shown
		key     bool
		changes bool
	}{
		{"a picture before any set", [][]byte{slice}, [][]byte{slice}, false, false},
		{"the sets alone", [][]byte{sps, pps}, nil, false, false},
		{"a key frame", [][]byte{aud, sei, idr, filler}, [][]byte{sei, idr}, true, true},
		{"a picture", [][]byte{aud, slice, {}}, [][]byte{slice}, false, false},
		{"the same sets again", [][]byte{sps, pps, idr}, [][]byte{idr}, true, false},
		{"another set between key frames", [][]byte{otherPPS, slice}, [][]byte{otherPPS, slice}, false, false},
		{"which the next one brings", [][]byte{idr}, [][]byte{idr}, true, true},
		{"another size", [][]byte{otherSPS, pps, idr}, [][]byte{idr}, true, true},
		{"two sets for pictures", [][]byte{otherSPS, pps, otherPPS, idr}, [][]byte{otherPPS, idr}, true, false},
		{"a set that came broken", [][]byte{otherSPS[:5], pps, idr}, [][]byte{idr}, true, false},
		{"and came again", [][]byte{otherSPS, pps, idr}, [][]byte{idr}, true, false},
		{"a set with another number", [][]byte{otherSPS, numbered, idr}, [][]byte{numbered, idr}, true, false},
		{"beside the first", [][]byte{numbered, pps, slice}, [][]byte{numbered, slice}, false, false},
		{"of another size", [][]byte{sps, numbered, idr}, [][]byte{idr}, true, true},
		{"and back", [][]byte{otherSPS, pps, idr}, [][]byte{idr}, true, true},
		{"nothing", nil, nil, false, false},
	} {
		payload, key, format := p.Read(test.units)
		var want []byte
		for _, u := range test.payload {
			want = append(append(want, 0, 0, 0, byte(len(u))), u...)
		}
		if !bytes.Equal(payload, want) || key != test.key || (format != last) != test.changes {
			t.Errorf("%s: got %x, key %v, changed %v, want %x, %v, %v", test.name, payload, key, format != last, want, test.key, test.changes)
		}
		last = format
	}
	if got, ok := last.(*codecs.H264); !ok || !bytes.Equal(got.SPS, otherSPS) || !bytes.Equal(got.PPS, pps) {
		t.Errorf("got %v", last)
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestH265NeedsAllItsSets(t *testing.T) {
	t.Parallel()
	vps, pps := []byte{32 << 1, 1}, []byte{34 << 1, 1}
	sps := unhex(t, "42010101600000030090000003000003003ca00a080b9f796566924caf016808000003000800000300c840")
	aud, cra, trail := []byte{35 << 1, 1}, []byte{21 << 1, 1}, []byte{1 << 1, 1}
	p := intake.H265()
	if _, key, format := p.Read([][]byte{aud, sps, pps, cra}); !key || format != nil {
		t.Errorf("got key %v and %v without the set of the video", key, format)
	}
	payload, _, format := p.Read([][]byte{vps, sps, pps, cra})
	if got, ok := format.(*codecs.H265); !ok || !bytes.Equal(got.VPS, vps) || !bytes.Equal(payload, append([]byte{0, 0, 0, 2}, cra...)) {
		t.Errorf("got %x and %v", payload, format)
	}
	if _, key, _ := p.Read([][]byte{trail}); key {
		t.Error("got a key frame")
	}
}

func TestConfiguredSetsAreTheFormatAtOnceAndLaterWithAKeyFrame(t *testing.T) {
	t.Parallel()
	sps, otherSPS := unhex(t, "6742c00cd901419f9f011000000300100000030320f142a480"), unhex(t, "6742c01ed900a02ff97011000003000100000300320f162e48")
	pps := unhex(t, "68ce0fc8")
	p := intake.H264()
	first, err := p.Configure(nil, sps, pps)
	if err != nil || first == nil {
		t.Fatalf("got %v, %v, want the format", first, err)
	}
	if format, err := p.Configure(nil, otherSPS, pps); err != nil || format != first {
		t.Errorf("got %v, %v, want the format of before", format, err)
	}
	if _, _, format := p.ReadSized([]byte{0, 0, 0, 2, 0x41, 9}, 4, false); format != first {
		t.Error("got another format between key frames")
	}
	_, key, format := p.ReadSized([]byte{0, 0, 0, 2, 0x65, 9}, 4, false)
	if got, ok := format.(*codecs.H264); !key || !ok || !bytes.Equal(got.SPS, otherSPS) {
		t.Errorf("got key %v and %v, want the new format", key, format)
	}
	if _, err := p.Configure(nil, sps[:5], pps); !errors.Is(err, live.ErrFormat) {
		t.Errorf("got %v of a broken set, want ErrFormat", err)
	}
}

func TestUnitsBehindTheirLengths(t *testing.T) {
	t.Parallel()
	recovery := []byte{6, 5, 1, 0xaa, 6, 1, 0xc4, 0x80}
	for _, test := range []struct {
		name    string
		bytes   []byte
		length  int
		called  bool
		payload []byte
		key     bool
	}{
		{"as they are", []byte{0, 0, 0, 2, 0x65, 9, 0, 0, 0, 2, 0x65, 8}, 4, false, []byte{0, 0, 0, 2, 0x65, 9, 0, 0, 0, 2, 0x65, 8}, true},
		{"one that fills", []byte{0, 0, 0, 1, 0x0c, 0, 0, 0, 2, 0x41, 9}, 4, true, []byte{0, 0, 0, 2, 0x41, 9}, false},
		{"short lengths", []byte{2, 0x65, 9, 0, 2, 0x65, 8}, 1, false, []byte{0, 0, 0, 2, 0x65, 9, 0, 0, 0, 2, 0x65, 8}, true},
		{"a broken length", []byte{0, 0, 0, 2, 0x41, 9, 0xff, 0xff, 0xff, 0xff, 0x41}, 4, false, []byte{0, 0, 0, 2, 0x41, 9}, false},
		{"half a length", []byte{0, 0, 0, 2, 0x41, 9, 0, 0}, 4, false, []byte{0, 0, 0, 2, 0x41, 9}, false},
		{"a point of recovery", append([]byte{8}, append(recovery, 2, 0x41, 9)...), 1, true,
			append([]byte{0, 0, 0, 8}, append(recovery, 0, 0, 0, 2, 0x41, 9)...), true},
		{"nothing shown", append([]byte{0, 0, 0, 8}, recovery...), 4, true, nil, false},
		{"nothing", nil, 4, true, nil, false},
	} {
		payload, key, _ := intake.H264().ReadSized(test.bytes, test.length, test.called)
		if !bytes.Equal(payload, test.payload) || (payload == nil) != (test.payload == nil) || key != test.key {
			t.Errorf("%s: got %x, key %v, want %x, %v", test.name, payload, key, test.payload, test.key)
		}
	}
}

func FuzzPictures(f *testing.F) {
	f.Add([]byte{0, 0, 0, 2, 0x65, 9, 0, 0, 0, 2, 0x68, 8}, 4, true, false)
	f.Add([]byte{0, 4, 0x06, 6, 1, 0xc4, 0, 3, 0x41, 9, 9}, 2, true, false)
	f.Add([]byte{3, 0x42, 1, 1, 3, 0x44, 1, 0x80, 2, 0x28, 1}, 1, false, true)
	f.Fuzz(func(t *testing.T, b []byte, length int, called, hevc bool) {
		p := intake.H264()
		if hevc {
			p = intake.H265()
		}
		for range 2 {
			payload, key, _ := p.ReadSized(bytes.Clone(b), max(1, min(length, 4)), called)
			if key && len(payload) == 0 {
				t.Fatal("got a key frame of nothing")
			}
			for len(payload) > 0 {
				if len(payload) < 4 || uint64(binary.BigEndian.Uint32(payload)) > uint64(len(payload)-4) {
					t.Fatalf("got %x at the end of the sample", payload)
				}
				payload = payload[4+binary.BigEndian.Uint32(payload):]
			}
		}
	})
}

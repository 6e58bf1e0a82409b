package rtmp

import (
	"bytes"
	"encoding/hex"
	"net"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/bluenviron/gortmplib"
	rtmpcodecs "github.com/bluenviron/gortmplib/pkg/codecs"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/av1"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/flac"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/opus"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}

// Formats and frames that encoders made of a test picture.
var (
	small = &codecs.H264{SPS: unhex("6742c00ada109b0110000003001000000300a0f1226a"), PPS: unhex("68ce0fc8")} // 64x64
	large = &codecs.H264{SPS: unhex("6742c00ada0836c044000003000400000300283c489a80"), PPS: unhex("68ce0fc8")}
	hevc  = &codecs.H265{
		VPS: unhex("40010c01ffff01600000030090000003000003001e959409"),
		SPS: unhex("42010101600000030090000003000003001ea0208105965654a4c2f016808000000300800000030284"),
		PPS: unhex("4401c073c089"),
	}
	av1Seq = &codecs.AV1{SequenceHeader: unhex("0800000002afff9b5f2008")}
	vp9Key = &codecs.VP9{Width: 64, Height: 64, BitDepth: 8, ChromaSubsampling: 1}
	ac3Fmt = &codecs.AC3{SampleRate: 48000, ChannelCount: 1, Bsid: 8, Acmod: 1, BitRateCode: 6}
	flac48 = &codecs.FLAC{StreamInfo: &flac.StreamInfo{MinBlockSize: 4608, MaxBlockSize: 4608, SampleRate: 48000, ChannelCount: 1, BitDepth: 16}}

	idr      = unhex("0000000465888421")
	hevcIDR  = unhex("000000042801ac98")
	av1TU    = unhex("0a0a00000002afff9b5f2008" + "3203140022")
	vp9Frame = unhex("824983420003f003f60c38241c184a0002106fbf")
	ac3Frame = unhex("0b77480d0c402f842bc1c77a")
	mp3Frame = unhex("fffb54c400009705")
)

// sample is a format with a frame of it.
type sample struct {
	format  live.Format
	payload []byte
}

var samples = map[string]sample{
	"H264": {small, idr}, "H265": {hevc, hevcIDR}, "AV1": {av1Seq, av1TU}, "VP9": {vp9Key, vp9Frame},
	"AAC": {tone44, []byte{1, 2, 3}}, "MP3": {&codecs.MPEG1Audio{SampleRate: 48000, ChannelCount: 1}, mp3Frame},
	"Opus": {&codecs.Opus{ChannelCount: 2}, []byte{0xfc, 1}}, "AC3": {ac3Fmt, ac3Frame}, "FLAC": {flac48, []byte{0xff, 0xf8, 1}},
}

// publishTo connects a client of ours with a server of ours.
func publishTo(t *testing.T, address string) *Client {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Connect(t.Context(), nc, appURL, testKey, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFormatsArriveAsTheyAreSent(t *testing.T) {
	t.Parallel()
	for name, s := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoor()
			server := serve(t, Options{Door: d})
			c := publishTo(t, server.address)
			if err := c.Start([]live.Format{s.format}, 0); err != nil {
				t.Fatal(err)
			}
			want := []live.Frame{
				{DTS: 0, PTS: 0, Key: true, Payload: s.payload},
				{DTS: 2 * time.Second, PTS: 2 * time.Second, Key: true, Payload: s.payload},
			}
			if s.format == small {
				want[1].PTS += 80 * time.Millisecond
				long := append(bytes.Clone(idr), 0, 0, 0x30, 0, 1) // in several chunks
				long = append(long, make([]byte, 0x30_00-1)...)
				want = append(want, live.Frame{DTS: 5 * time.Hour, PTS: 5*time.Hour - 40*time.Millisecond, Key: true, Payload: long})
			}
			for _, f := range want {
				if err := c.Write(f); err != nil {
					t.Fatal(err)
				}
			}
			c.Close()
			f := <-d.came
			<-f.closed
			if len(f.starts) != 1 || !reflect.DeepEqual(f.starts[0], []live.Format{s.format}) {
				t.Fatalf("got starts %#v, want %#v\n%s", f.starts, s.format, server.log)
			}
			if !reflect.DeepEqual(f.frames, want) {
				t.Errorf("got %v, want %v", f.frames, want)
			}
		})
	}
}

// TestOtherPublishersFormats has another implementation on the side of the encoder.
func TestOtherPublishersFormats(t *testing.T) {
	t.Parallel()
	pts := []time.Duration{0, 500 * time.Millisecond}
	tracks := map[string]*gortmplib.Track{
		"H264": {Codec: &rtmpcodecs.H264{SPS: small.SPS, PPS: small.PPS}},
		"H265": {Codec: &rtmpcodecs.H265{VPS: hevc.VPS, SPS: hevc.SPS, PPS: hevc.PPS}},
		"AV1":  {Codec: &rtmpcodecs.AV1{}}, "VP9": {Codec: &rtmpcodecs.VP9{}},
		"AAC":  {Codec: &rtmpcodecs.MPEG4Audio{Config: &tone44.Config}},
		"Opus": {Codec: &rtmpcodecs.Opus{IDHeader: &opus.IDHeader{Version: 1, ChannelCount: 2}}},
		"AC3":  {Codec: &rtmpcodecs.AC3{SampleRate: 48000, ChannelCount: 1}}, "FLAC": {Codec: &rtmpcodecs.FLAC{StreamInfo: flac48.StreamInfo}},
	}
	for _, pair := range [][2]string{{"H264", "AAC"}, {"H265", "Opus"}, {"AV1", "AC3"}, {"VP9", "FLAC"}} {
		t.Run(pair[0], func(t *testing.T) {
			t.Parallel()
			d := newDoor()
			s := serve(t, Options{Door: d})
			c := &gortmplib.Client{URL: &url.URL{Scheme: "rtmp", Host: s.address, Path: "/s/", Fragment: testKey}, Publish: true}
			if err := c.Initialize(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			seen, heard := tracks[pair[0]], tracks[pair[1]]
			w := &gortmplib.Writer{Conn: c, Tracks: []*gortmplib.Track{seen, heard}}
			if err := w.Initialize(); err != nil {
				t.Fatal(err)
			}
			for _, at := range pts {
				err := map[string]func() error{
					"H264": func() error {
						return w.WriteH264(seen, at, at, [][]byte{{9, 16}, small.SPS, small.PPS, idr[4:], {12, 255}})
					},
					"H265": func() error {
						return w.WriteH265(seen, at+time.Second, at, [][]byte{{70, 1, 16}, hevc.VPS, hevc.SPS, hevc.PPS, hevcIDR[4:]})
					},
					"AV1": func() error { return w.WriteAV1(seen, at, av1.Bitstream{av1Seq.SequenceHeader, {0x30, 0x14, 0, 0x22}}) },
					"VP9": func() error { return w.WriteVP9(seen, at, vp9Frame) },
				}[pair[0]]()
				if err != nil {
					t.Fatal(err)
				}
				err = map[string]func() error{
					"AAC":  func() error { return w.WriteMPEG4Audio(heard, at, []byte{1, 2, 3}) },
					"Opus": func() error { return w.WriteOpus(heard, at, []byte{0xfc, 1}) },
					"AC3":  func() error { return w.WriteAC3(heard, at, ac3Frame) },
					"FLAC": func() error { return w.WriteFLAC(heard, at, []byte{0xff, 0xf8, 1}) },
				}[pair[1]]()
				if err != nil {
					t.Fatal(err)
				}
			}
			c.Close()
			f := <-d.came
			<-f.closed
			want := []live.Format{samples[pair[0]].format, samples[pair[1]].format}
			if len(f.starts) == 0 || !reflect.DeepEqual(f.starts[len(f.starts)-1], want) {
				t.Fatalf("got starts %v, want %v\n%s", f.starts, want, s.log)
			}
			for i, name := range pair {
				frames := f.track(i)
				if len(frames) != 2 || !bytes.Equal(frames[1].Payload, samples[name].payload) || frames[1].DTS != pts[1] || !frames[1].Key {
					t.Errorf("%s: got %v, want two times %x", name, frames, samples[name].payload)
				}
			}
			if pair[0] == "H265" && f.frames[0].PTS-f.frames[0].DTS != time.Second {
				t.Errorf("got PTS %v at DTS %v, want a second between", f.frames[0].PTS, f.frames[0].DTS)
			}
		})
	}
}

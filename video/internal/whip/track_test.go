package whip

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/rtp/codecs"
)

// picture is NAL units of the given sizes, with bytes that tell them apart.
func picture(n int, sizes ...int) [][]byte {
	units := make([][]byte, 0, len(sizes))
	for i, size := range sizes {
		units = append(units, append([]byte{0x41}, bytes.Repeat([]byte{byte(n*16 + i + 1)}, size)...))
	}
	return units
}

// packets sends pictures as another implementation does, each 3000 ticks after the one
// before.
func packets(pictures [][][]byte) []*rtp.Packet {
	packetizer := rtp.NewPacketizer(200, 96, 1, &codecs.H264Payloader{}, rtp.NewFixedSequencer(65530), 90000)
	var out []*rtp.Packet
	for _, units := range pictures {
		var b []byte
		for _, u := range units {
			b = append(append(b, 0, 0, 0, 1), u...)
		}
		out = append(out, packetizer.Packetize(b, 3000)...)
	}
	return out
}

// receive puts packets in order and pictures together. They come with a pause between.
func receive(packets []*rtp.Packet, pause time.Duration) (pictures [][][]byte, losses int) {
	var order reorder
	var assembler assembler
	now := time.Now()
	for _, p := range packets {
		now = now.Add(pause)
		_ = order.push(p, now, func(p *rtp.Packet, lost bool) error {
			if lost {
				losses++
			}
			if units, _ := assembler.push(p, lost); units != nil {
				pictures = append(pictures, units)
			}
			return nil
		})
	}
	return pictures, losses
}

func sent() [][][]byte {
	var all [][][]byte
	for n := range 15 {
		all = append(all, picture(n, 50, 900, 20, 2000))
	}
	return all
}

func equal(a, b [][][]byte) bool {
	return slices.EqualFunc(a, b, func(a, b [][]byte) bool { return slices.EqualFunc(a, b, bytes.Equal) })
}

func TestPacketsOutOfOrderMakeTheSamePictures(t *testing.T) {
	t.Parallel()
	want, all := sent(), packets(sent())
	for name, disturb := range map[string]func([]*rtp.Packet){
		"in order":  func([]*rtp.Packet) {},
		"in pairs":  func(p []*rtp.Packet) { p[0], p[1] = p[1], p[0] },
		"backwards": func(p []*rtp.Packet) { slices.Reverse(p) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disturbed := slices.Clone(all)
			for n := 10; n+6 < len(disturbed); n += 7 {
				disturb(disturbed[n : n+6])
			}
			disturbed = slices.Insert(disturbed, 30, disturbed[20], disturbed[29]) // and some twice
			got, losses := receive(disturbed, time.Millisecond)
			if losses != 0 || !equal(got, want) {
				t.Errorf("got %d pictures and %d losses, want %d and none", len(got), losses, len(want))
			}
		})
	}
}

func TestALostPacketCostsItsPicture(t *testing.T) {
	t.Parallel()
	want, all := sent(), packets(sent())
	each := len(all) / len(want)
	for lost := each; lost < 2*each; lost++ {
		rest := slices.Delete(slices.Clone(all), lost, lost+1)
		if got, losses := receive(rest, time.Microsecond); losses != 0 || len(got) != 1 {
			t.Errorf("packet %d: got %d pictures and %d losses while it may still come, want 1 and none", lost, len(got), losses)
		}
		got, losses := receive(rest, reorderTime/10)
		if left := len(want) - len(got); losses != 1 || left < 1 || left > 2 {
			t.Errorf("packet %d: got %d losses, and %d pictures are missing", lost, losses, left)
		}
	}
}

func TestNumbersThatJumpBeginAgain(t *testing.T) {
	t.Parallel()
	first, second := packets(sent()), packets(sent())
	for _, p := range second {
		p.SequenceNumber += 20000
		p.Timestamp += 1 << 30
	}
	got, losses := receive(slices.Concat(first, second), time.Millisecond)
	if losses != 1 || !equal(got, slices.Concat(sent(), sent()[1:])) { // the first may not be whole
		t.Errorf("got %d pictures and %d losses", len(got), losses)
	}
}

func FuzzAssembler(f *testing.F) {
	for _, p := range packets([][][]byte{picture(1, 50, 900, 20), picture(2, 300)}) {
		f.Add(p.Payload, p.Payload, byte(7))
	}
	f.Fuzz(func(t *testing.T, a, b []byte, how byte) {
		var assembler assembler
		for n, payload := range [][]byte{a, b, a, b} {
			p := &rtp.Packet{Header: rtp.Header{Timestamp: uint32(n & int(how>>2&1)), Marker: how>>n&1 != 0}, Payload: payload}
			units, _ := assembler.push(p, how>>(4+n)&1 != 0)
			if slices.ContainsFunc(units, func(u []byte) bool { return len(u) == 0 }) {
				t.Errorf("got an empty unit of %x and %x", a, b)
			}
		}
	})
}

func TestClockGoesOnWhereItsTimesBeginAgain(t *testing.T) {
	t.Parallel()
	c := clock{rate: 90000}
	start := ^uint32(0) - 45000
	for n := range uint32(10) {
		want := 3*time.Second + time.Duration(n)*time.Second/10
		if got := c.at(start+n*9000, 3*time.Second); (got - want).Abs() > time.Microsecond {
			t.Errorf("got %v want %v", got, want)
		}
	}
}

func TestPicturesAreBroughtToTheirSound(t *testing.T) {
	t.Parallel()
	pictures, sound := clock{rate: 90000}, clock{rate: 48000}
	sound.at(1000, 0)
	pictures.at(5000, 150*time.Millisecond) // made at the same time, it came later
	const second = 1 << 32
	align(&pictures, &sound) // nothing is known yet
	if pictures.anchor != 150*time.Millisecond {
		t.Errorf("got %v before the publisher has reported", pictures.anchor)
	}
	sound.note(&rtcp.SenderReport{NTPTime: 100 * second, RTPTime: 1000})
	pictures.note(&rtcp.SenderReport{NTPTime: 101 * second, RTPTime: 5000 + 90000})
	last := time.Duration(0)
	for n := range uint32(200) {
		at := pictures.at(5000+n*3000, 0)
		if n > 0 && at <= last {
			t.Fatalf("got %v after %v", at, last)
		}
		last = at
		align(&pictures, &sound)
	}
	if want := 199 * 3000 * time.Second / 90000; (last - want).Abs() > alignStep {
		t.Errorf("got %v want %v", last, want)
	}
}

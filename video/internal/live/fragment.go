package live

import (
	"encoding/binary"
	"time"
)

// trackID is that of the one track in every file.
const trackID = 1

// sample is a frame in a part.
type sample struct {
	time     int64 // of decoding, units of the track's clock
	duration int64
	wait     int64 // from decoding to showing; may be below 0
	key      bool
	payload  []byte
}

// What a sample says of itself: whether others are needed to decode it.
const (
	flagsKey   = 0x02000000
	flagsOther = 0x01010000
)

// Bytes of the boxes of a fragment, and of a sample in them.
const (
	moofSize   = 8 + 16 + 8 + tfhdSize + 20 + trunSize // moof, mfhd, traf, tfhd, tfdt, trun
	tfhdSize   = 16
	trunSize   = 20
	entrySize  = 16
	mdatSize   = 8
	headerSize = moofSize + mdatSize // before the first sample of a fragment, without entries
)

// Fragment packs one frame, to be decoded at once. It lasts for some time, as far as one
// knows.
func (h Head) Fragment(f Frame, lasts time.Duration) []byte {
	at := ticks(f.DTS, h.Clock)
	s := sample{
		time: at, duration: max(1, ticks(lasts, h.Clock)), wait: ticks(f.PTS, h.Clock) - at, key: f.Key, payload: f.Payload,
	}
	return fragment(1, []sample{s}, len(f.Payload))
}

// fragment packs samples as a movie fragment, in one buffer. size is that of their
// payloads together.
func fragment(sequence uint32, samples []sample, size int) []byte {
	entries := entrySize * len(samples)
	b := make([]byte, 0, headerSize+entries+size)
	b = box(b, moofSize+entries, "moof")
	b = box(b, 16, "mfhd")
	b = u32(b, 0, sequence)
	b = box(b, 8+tfhdSize+20+trunSize+entries, "traf")
	b = box(b, tfhdSize, "tfhd")
	b = u32(b, 0x020000, trackID) // offsets count from the moof
	b = box(b, 20, "tfdt")
	b = u32(b, 1<<24)
	b = binary.BigEndian.AppendUint64(b, uint64(samples[0].time))
	b = box(b, trunSize+entries, "trun")
	b = u32(b, 1<<24|0x000f01, uint32(len(samples)), uint32(headerSize+entries)) // all fields, signed waits
	for i := range samples {
		s := &samples[i]
		flags := uint32(flagsOther)
		if s.key {
			flags = flagsKey
		}
		b = u32(b, uint32(s.duration), uint32(len(s.payload)), flags, uint32(int32(s.wait)))
	}
	b = box(b, mdatSize+size, "mdat")
	for i := range samples {
		b = append(b, samples[i].payload...)
	}
	return b
}

// firstEnd is where the first sample of a fragment ends.
func firstEnd(samples []sample) int {
	return headerSize + entrySize*len(samples) + len(samples[0].payload)
}

func box(b []byte, size int, kind string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(size)), kind...)
}

func u32(b []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	return b
}

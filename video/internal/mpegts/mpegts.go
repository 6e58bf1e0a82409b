// Package mpegts reads MPEG transport streams of publishers.
//
// Bytes are cut into packets of 188 bytes, found again where some are lost (packet.go).
// Sections say which streams of packets belong to the program (section.go, program.go);
// the first picture and the first sound of the first program are taken. Packets of one
// of them are put together (pes.go), and what they carry goes to the feed as frames
// (picture.go, sound.go). What is broken is left out: a publisher behind a bad network
// loses pictures, not the broadcast.
package mpegts

import (
	"bytes"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// Reader takes a transport stream as it comes and gives its frames to a feed.
type Reader struct {
	intake *intake.Intake
	rest   []byte // begins a packet
	clock  clock

	tables  section // of the packets that name the program
	program section // of the packets that name its streams
	number  uint16  // of the program
	pid     uint16  // of the packets that name its streams; 0: not known yet
	known   []byte  // the section that the streams were taken from
	picture *stream
	sound   *stream
}

// NewReader gives a reader for the publisher of a feed.
func NewReader(feed live.Feed) *Reader {
	return &Reader{intake: intake.New(feed, false, false)}
}

// Write takes bytes, cut anywhere. It answers errors of the feed, and ErrFormat for
// pictures and sound that cannot be broadcast.
func (r *Reader) Write(b []byte) error {
	if len(r.rest) > 0 {
		b = append(r.rest, b...)
	}
	for {
		b = synchronize(b)
		if len(b) < packetSize {
			r.rest = append(r.rest[:0], b...)
			return nil
		}
		if err := r.packet(b[:packetSize]); err != nil {
			return err
		}
		b = b[packetSize:]
	}
}

// Flush takes what waits for its end: nothing more comes.
func (r *Reader) Flush() error {
	for _, s := range []*stream{r.picture, r.sound} {
		if s == nil {
			continue
		}
		if err := s.finish(r); err != nil {
			return err
		}
	}
	return nil
}

// synchronize leaves out what comes before the next packet.
func synchronize(b []byte) []byte {
	for len(b) > 0 {
		if b[0] == syncByte {
			return b
		}
		next := bytes.IndexByte(b, syncByte)
		if next < 0 {
			return nil
		}
		b = b[next:]
		if len(b) > packetSize && b[packetSize] != syncByte {
			b = b[1:] // the byte occurs in pictures too
		}
	}
	return b
}

package rtmp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Kinds of messages.
const (
	kindChunkSize   = 1
	kindAbort       = 2
	kindAck         = 3
	kindUserControl = 4
	kindWindow      = 5
	kindBandwidth   = 6
	kindSound       = 8
	kindPicture     = 9
	kindCommand3    = 17 // a command with a byte before it
	kindData        = 18
	kindCommand     = 20
)

// message is what chunks carry.
type message struct {
	kind byte
	time uint32 // milliseconds; begins anew after 49 days
	body []byte // nobody else's
}

// bounds are the memory that a peer can make us take.
type bounds struct {
	message uint32 // bytes of one
	pending uint32 // bytes of those that have begun
}

// maxChunkStreams is how many messages can be on their way at once.
const maxChunkStreams = 64

// chunkReader puts messages together.
type chunkReader struct {
	in      *bufio.Reader
	size    uint32 // of a chunk's body, at most
	bounds  bounds
	pending uint32
	count   uint32 // bytes read, for acknowledgements; begins anew
	streams map[uint32]*chunkStream
	head    [11]byte
}

// chunkStream is a message on its way, and what the next one says only by difference.
type chunkStream struct {
	kind     byte
	time     uint32
	delta    uint32
	length   uint32
	extended bool
	open     bool
	body     []byte
	filled   uint32
}

var errChunk = errors.New("these are not chunks of RTMP")

func newChunkReader(in *bufio.Reader, b bounds) *chunkReader {
	return &chunkReader{in: in, size: 128, bounds: b, streams: make(map[uint32]*chunkStream)}
}

// read waits for the next whole message.
func (r *chunkReader) read() (message, error) {
	for {
		s, err := r.readHeader()
		if err != nil {
			return message{}, err
		}
		n := min(s.length-s.filled, r.size)
		if err := r.readFull(s.body[s.filled : s.filled+n]); err != nil {
			return message{}, err
		}
		if s.filled += n; s.filled < s.length {
			continue
		}
		m := message{kind: s.kind, time: s.time, body: s.body}
		r.drop(s)
		return m, nil
	}
}

func (r *chunkReader) readHeader() (*chunkStream, error) {
	format, s, err := r.readStream()
	if err != nil {
		return nil, err
	}
	if format < 3 {
		r.drop(s) // what had begun there will not be ended
		if err := r.readMessageHeader(s, format); err != nil {
			return nil, err
		}
		return s, r.open(s)
	}
	if s.extended {
		if err := r.readFull(r.head[:4]); err != nil { // the same again
			return nil, err
		}
	}
	if s.open {
		return s, nil
	}
	s.time += s.delta
	return s, r.open(s)
}

// readStream reads the first bytes of a chunk: which form of header it has, and which
// stream it belongs to.
func (r *chunkReader) readStream() (format byte, s *chunkStream, err error) {
	if err := r.readFull(r.head[:1]); err != nil {
		return 0, nil, err
	}
	format, id := r.head[0]>>6, uint32(r.head[0]&63)
	if id < 2 {
		more := r.head[:id+1]
		if err := r.readFull(more); err != nil {
			return 0, nil, err
		}
		id = 64 + uint32(more[0])
		if len(more) == 2 {
			id += uint32(more[1]) << 8
		}
	}
	s = r.streams[id]
	if s == nil {
		if format != 0 && format != 1 { // some begin with 1, as if all before had been 0
			return 0, nil, fmt.Errorf("%w: one continues what never began", errChunk)
		}
		if len(r.streams) == maxChunkStreams {
			return 0, nil, fmt.Errorf("%w: too many streams of them", errChunk)
		}
		s = new(chunkStream)
		r.streams[id] = s
	}
	return format, s, nil
}

// readMessageHeader reads forms 0 to 2, each shorter than the one before.
func (r *chunkReader) readMessageHeader(s *chunkStream, format byte) error {
	head := r.head[:[...]int{11, 7, 3}[format]]
	if err := r.readFull(head); err != nil {
		return err
	}
	stamp := uint24(head)
	if format < 2 {
		s.length, s.kind = uint24(head[3:]), head[6]
	}
	s.extended = stamp == 0xffffff
	if s.extended {
		if err := r.readFull(r.head[:4]); err != nil {
			return err
		}
		stamp = binary.BigEndian.Uint32(r.head[:4])
	}
	s.delta = stamp // also of a whole time: a header of form 3 then adds it once more
	if format == 0 {
		s.time = stamp
	} else {
		s.time += stamp
	}
	return nil
}

func (r *chunkReader) open(s *chunkStream) error {
	if s.length > r.bounds.message || s.length > r.bounds.pending-r.pending {
		return fmt.Errorf("a message of %d bytes is too long", s.length)
	}
	r.pending += s.length
	s.open, s.body, s.filled = true, make([]byte, s.length), 0
	return nil
}

// drop ends the message of a stream, whole or not.
func (r *chunkReader) drop(s *chunkStream) {
	if s.open {
		r.pending -= s.length
		s.open, s.body, s.filled = false, nil, 0
	}
}

func (r *chunkReader) setSize(n uint32) error {
	if n = n &^ (1 << 31); n == 0 {
		return fmt.Errorf("%w: their size is 0", errChunk)
	}
	r.size = n
	return nil
}

func (r *chunkReader) readFull(b []byte) error {
	n, err := io.ReadFull(r.in, b)
	r.count += uint32(n)
	if err == io.ErrUnexpectedEOF {
		return io.EOF
	}
	return err
}

func uint24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

func putUint24(b []byte, v uint32) { b[0], b[1], b[2] = byte(v>>16), byte(v>>8), byte(v) }

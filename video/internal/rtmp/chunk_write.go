package rtmp

import (
	"bufio"
	"encoding/binary"
)

// writeChunkSize is what we cut messages into: the size that every server has met.
const writeChunkSize = 4096

// Chunk streams, by what they carry.
const (
	chunksControl = 2
	chunksCommand = 3
	chunksSound   = 4
	chunksStatus  = 5
	chunksPicture = 6
)

// chunkWriter cuts messages into chunks. Each has a whole header, so that none depends
// on another.
type chunkWriter struct {
	out  *bufio.Writer
	size int
	head [16]byte
}

// write sends a message that consists of two pieces.
func (w *chunkWriter) write(chunks byte, m message, stream uint32, tail []byte) error {
	extended := m.time >= 0xffffff
	h := w.head[:12]
	h[0] = chunks
	putUint24(h[1:], min(m.time, 0xffffff))
	putUint24(h[4:], uint32(len(m.body)+len(tail)))
	h[7] = m.kind
	binary.LittleEndian.PutUint32(h[8:], stream)
	if extended {
		h = binary.BigEndian.AppendUint32(h, m.time)
	}
	w.put(h)
	left := w.size
	for _, piece := range [2][]byte{m.body, tail} {
		for len(piece) > 0 {
			if left == 0 {
				w.next(chunks, m.time, extended)
				left = w.size
			}
			n := min(left, len(piece))
			w.put(piece[:n])
			piece, left = piece[n:], left-n
		}
	}
	return w.out.Flush()
}

// next begins another chunk of the same message.
func (w *chunkWriter) next(chunks byte, time uint32, extended bool) {
	h := append(w.head[:0], 3<<6|chunks)
	if extended {
		h = binary.BigEndian.AppendUint32(h, time)
	}
	w.put(h)
}

// put leaves errors to Flush, which repeats the first.
func (w *chunkWriter) put(b []byte) { _, _ = w.out.Write(b) }

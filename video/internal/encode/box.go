package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
)

// box is one box of an MP4 file: its kind, and all of its bytes.
type box struct {
	kind  string
	bytes []byte
	head  int // bytes before the body
}

func (b box) body() []byte { return b.bytes[b.head:] }

// maxBox bounds what is kept of one box: far more than a segment of the largest
// rendition at its highest rate.
const maxBox = 256 << 20

// readBox reads the next box of a stream. io.EOF means that there is none.
func readBox(r io.Reader) (box, error) {
	head := make([]byte, 8, 16)
	if _, err := io.ReadFull(r, head); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return box{}, errCut
		}
		return box{}, err
	}
	size := uint64(binary.BigEndian.Uint32(head))
	if size == 1 {
		head = head[:16]
		if _, err := io.ReadFull(r, head[8:]); err != nil {
			return box{}, errCut
		}
		size = binary.BigEndian.Uint64(head[8:])
	}
	if size < uint64(len(head)) || size > maxBox {
		return box{}, fmt.Errorf("encoder's output: box %q of %d bytes", head[4:8], size)
	}
	body, err := readAll(r, int(size)-len(head), head)
	if err != nil {
		return box{}, err
	}
	return box{kind: string(head[4:8]), bytes: body, head: len(head)}, nil
}

// readAll reads n bytes after head. Memory is taken as they come and not as they
// are promised.
func readAll(r io.Reader, n int, head []byte) ([]byte, error) {
	const step = 1 << 20
	all := append(make([]byte, 0, len(head)+min(n, step)), head...)
	for n > 0 {
		take := min(n, max(step, len(all)))
		at := len(all)
		all = append(all, make([]byte, take)...)
		if _, err := io.ReadFull(r, all[at:]); err != nil {
			return nil, errCut
		}
		n -= take
	}
	return all, nil
}

var errCut = errors.New("encoder's output ends in the middle of a box")

// boxes goes through the boxes in the body of another. What does not fit ends it.
func boxes(body []byte) iter.Seq[box] {
	return func(yield func(box) bool) {
		for len(body) >= 8 {
			size := int64(binary.BigEndian.Uint32(body))
			if size < 8 || size > int64(len(body)) {
				return
			}
			if !yield(box{kind: string(body[4:8]), bytes: body[:size], head: 8}) {
				return
			}
			body = body[size:]
		}
	}
}

// find follows a path of kinds downwards, taking the first of each kind. The
// answer shares its bytes with body.
func find(body []byte, path ...string) (box, bool) {
	for b := range boxes(body) {
		if b.kind != path[0] {
			continue
		}
		if len(path) == 1 {
			return b, true
		}
		return find(b.body(), path[1:]...)
	}
	return box{}, false
}

package rtmp

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"reflect"
	"testing"
)

func readAll(b []byte) (messages []message, err error) {
	r := newChunkReader(bufio.NewReader(bytes.NewReader(b)), known)
	for {
		m, err := r.read()
		if err != nil {
			return messages, err
		}
		messages = append(messages, m)
	}
}

func TestHeadersOfChunks(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte{7}, 200)
	for name, c := range map[string]struct {
		in   [][]byte
		want []message
	}{
		"all forms, with differences": {
			[][]byte{{4, 0, 0, 100, 0, 0, 1, 8, 1, 0, 0, 0, 'a'}, {0x44, 0, 0, 23, 0, 0, 2, 9, 'b', 'b'}, {0x84, 0, 0, 10, 'c', 'c'}, {0xc4, 'd', 'd'}},
			[]message{{8, 100, []byte("a")}, {9, 123, []byte("bb")}, {9, 133, []byte("cc")}, {9, 143, []byte("dd")}},
		},
		"the same difference as the first time": {
			[][]byte{{4, 0, 0, 23, 0, 0, 1, 8, 1, 0, 0, 0, 'a'}, {0xc4, 'b'}},
			[]message{{8, 23, []byte("a")}, {8, 46, []byte("b")}},
		},
		"two messages mixed": {
			[][]byte{{4, 0, 0, 1, 0, 0, 200, 8, 1, 0, 0, 0}, long[:128], {5, 0, 0, 2, 0, 0, 200, 9, 1, 0, 0, 0}, long[:128], {0xc4}, long[128:], {0xc5}, long[128:]},
			[]message{{8, 1, long}, {9, 2, long}},
		},
		"numbers of streams in two and three bytes": {
			[][]byte{{0, 1, 0, 0, 1, 0, 0, 1, 8, 1, 0, 0, 0, 'a'}, {1, 1, 2, 0, 0, 2, 0, 0, 1, 8, 1, 0, 0, 0, 'b'}, {0xc0, 1, 'c'}},
			[]message{{8, 1, []byte("a")}, {8, 2, []byte("b")}, {8, 2, []byte("c")}},
		},
		"long times": {
			[][]byte{{4, 255, 255, 255, 0, 0, 200, 8, 1, 0, 0, 0, 1, 0, 0, 0}, long[:128], {0xc4, 1, 0, 0, 0}, long[128:]},
			[]message{{8, 1 << 24, long}},
		},
		"a message that is never ended": {
			[][]byte{{4, 0, 0, 1, 0, 0, 200, 8, 1, 0, 0, 0}, long[:128], {4, 0, 0, 2, 0, 0, 1, 8, 1, 0, 0, 0, 'a'}},
			[]message{{8, 2, []byte("a")}},
		},
	} {
		got, err := readAll(bytes.Join(c.in, nil))
		if err != io.EOF || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func TestWrittenChunksAreRead(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := chunkWriter{out: bufio.NewWriter(&out), size: 128}
	want := []message{{8, 5, bytes.Repeat([]byte{1}, 127)}, {9, 0xffffff, bytes.Repeat([]byte{2}, 1000)}, {9, 1<<32 - 1, bytes.Repeat([]byte{3}, 256)}, {8, 7, []byte{}}}
	for _, m := range want {
		whole := m
		m.body = whole.body[:len(whole.body)/3]
		if err := w.write(chunksSound, m, stream, whole.body[len(m.body):]); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := readAll(out.Bytes()); err != io.EOF || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestAbortedMessageFreesItsRoom(t *testing.T) {
	t.Parallel()
	var in []byte
	for range 100 {
		in = append(in, 4, 0, 0, 1, 0x10, 0, 0, 9, 1, 0, 0, 0) // a megabyte
		in = append(in, make([]byte, 128)...)
		in = append(in, 2, 0, 0, 0, 0, 0, 4, kindAbort, 0, 0, 0, 0)
		in = binary.BigEndian.AppendUint32(in, 4)
	}
	c := newConn(nil, bufio.NewReader(bytes.NewReader(in)), known, 0)
	if _, err := c.read(); err != io.EOF || c.in.pending != 0 {
		t.Errorf("got %v with %d bytes pending, want the end with none", err, c.in.pending)
	}
}

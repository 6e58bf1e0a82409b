package file

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestCopyAheadCopiesAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := make([]byte, rapid.SampledFrom([]int{0, 1, bite - 1, bite, bite + 1, 2 * bite, 3*bite + 7}).Draw(t, "size"))
		for i := range want {
			want[i] = byte(i * 31 >> 3)
		}
		var got bytes.Buffer
		n, err := copyAhead(&got, io.MultiReader(iotest.HalfReader(bytes.NewReader(want))))
		if err != nil || n != int64(len(want)) || !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("got %d bytes, %v want %d", n, err, len(want))
		}
	})
}

var errBroken = errors.New("broken")

func TestCopyAheadTellsTheReadersError(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, bite, 2*bite + 5} {
		r := io.MultiReader(bytes.NewReader(make([]byte, size)), iotest.ErrReader(io.ErrUnexpectedEOF))
		if _, err := copyAhead(io.Discard, r); err != io.ErrUnexpectedEOF {
			t.Errorf("after %d bytes: got %v want %v", size, err, io.ErrUnexpectedEOF)
		}
	}
}

// fullDisk takes so many bytes and no more.
type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left -= len(p); d.left < 0 {
		return 0, errBroken
	}
	return len(p), nil
}

func TestCopyAheadEndsWhenWritingFails(t *testing.T) {
	t.Parallel()
	for _, room := range []int{0, bite, 2 * bite} {
		endless := iotest.HalfReader(neverEnds{})
		if _, err := copyAhead(&fullDisk{room}, endless); !errors.Is(err, errBroken) {
			t.Errorf("room for %d: got %v want %v", room, err, errBroken)
		}
	}
	if _, err := copyAhead(&fullDisk{bite}, bytes.NewReader(make([]byte, bite+1))); !errors.Is(err, errBroken) {
		t.Errorf("the last bite: got %v want %v", err, errBroken)
	}
}

type neverEnds struct{}

func (neverEnds) Read(p []byte) (int, error) { return len(p), nil }

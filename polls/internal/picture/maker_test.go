package picture

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/fault"
)

// gated is a file that comes only when its gate is closed. It tells when it is asked for.
type gated struct {
	asked *int
	gate  chan struct{}
}

func (g gated) Read(p []byte) (int, error) {
	if g.asked != nil {
		*g.asked++
	}
	<-g.gate
	return 0, io.EOF
}

func TestFewFilesAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(2)
		gate := make(chan struct{})
		errs := make(chan error)
		for range 2 {
			go func() {
				_, err := m.Make(t.Context(), gated{gate: gate})
				errs <- err
			}()
		}
		synctest.Wait() // both read

		asked := 0
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := m.Make(ctx, gated{asked: &asked, gate: gate})
		if !errors.Is(err, fault.Unavailable) || asked != 0 {
			t.Errorf("third file: got %v after %d reads want fault.Unavailable and none", err, asked)
		}

		close(gate)
		for range 2 {
			if err := <-errs; !errors.Is(err, fault.Invalid) {
				t.Errorf("got %v want fault.Invalid", err)
			}
		}
		if _, err := m.Make(t.Context(), gated{gate: gate}); !errors.Is(err, fault.Invalid) {
			t.Errorf("after the others: got %v want fault.Invalid", err)
		}
	})
}

func TestBigFilesOneByOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := New(2)
		m.big <- struct{}{} // one is being decoded
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := m.Make(ctx, bytes.NewReader(header(5000, 5000))); !errors.Is(err, fault.Unavailable) {
			t.Errorf("big file: got %v want fault.Unavailable", err)
		}
		if _, err := m.Make(t.Context(), bytes.NewReader(header(50, 50))); !errors.Is(err, fault.Invalid) {
			t.Errorf("small file: got %v want fault.Invalid", err)
		}
		if len(m.slots) != 0 {
			t.Errorf("got %d places taken want 0", len(m.slots))
		}
	})
}

// header is all there is of a GIF file.
func header(w, h int) []byte {
	return append([]byte("GIF89a"), byte(w), byte(w>>8), byte(h), byte(h>>8), 0, 0, 0)
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var photo bytes.Buffer
	if err := png.Encode(&photo, image.NewGray(image.Rect(0, 0, 50, 50))); err != nil {
		t.Fatal(err)
	}
	m := New(1)
	_, err := m.Make(ctx, io.MultiReader(&photo, readFunc(func([]byte) (int, error) {
		cancel() // when all is read and nothing decoded
		return 0, io.EOF
	})))
	if !errors.Is(err, context.Canceled) || errors.Is(err, fault.Invalid) {
		t.Errorf("got %v want context.Canceled", err)
	}
	if len(m.slots) != 0 {
		t.Errorf("got %d places taken want 0", len(m.slots))
	}
}

// Each scan of a progressive file goes through the whole picture and may have
// a few bytes only. This one would take long.
func TestSlowFileIsStopped(t *testing.T) {
	t.Parallel()
	m := New(1)
	m.limit = 100 * time.Millisecond
	_, err := m.Make(t.Context(), bytes.NewReader(manyScans()))
	if !errors.Is(err, fault.Invalid) || !bytes.Contains([]byte(err.Error()), []byte("too long")) {
		t.Errorf("got %v want fault.Invalid for the time it takes", err)
	}
}

// manyScans is a progressive JPEG file of 400 x 400 pixels that passes over
// its 2,500 blocks some eight hundred thousand times.
func manyScans() []byte {
	file := []byte("\xff\xd8" +
		"\xff\xc2\x00\x0b\x08\x01\x90\x01\x90\x01\x01\x11\x00" + // one component
		"\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xe0") // code 0: 16384 blocks end here
	scan := []byte("\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00" + // coefficients 1 to 63
		"\x00\x00") // the code, and 14 bits for more blocks
	return append(file, bytes.Repeat(scan, (MaxBytes-len(file))/len(scan))...)
}

package blob_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"stoa/internal/blob"
)

func TestSourceTellsABrokenReaderFromItsEnd(t *testing.T) {
	whole := blob.NewSource(t.Context(), strings.NewReader("all"))
	if _, err := io.ReadFull(whole, make([]byte, 10)); err != io.ErrUnexpectedEOF || whole.Err != nil {
		t.Errorf("got %v, %v want the end of the bytes to be no failure", err, whole.Err)
	}
	broken := blob.NewSource(t.Context(), io.MultiReader(strings.NewReader("al"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if _, err := io.ReadFull(broken, make([]byte, 10)); err == nil || broken.Err != io.ErrUnexpectedEOF {
		t.Errorf("got %v, %v want %v", err, broken.Err, io.ErrUnexpectedEOF)
	}
}

func TestSourceEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	s := blob.NewSource(ctx, strings.NewReader("all"))
	cancel(errors.New("away"))
	if n, err := s.Read(make([]byte, 10)); n != 0 || !errors.Is(err, context.Canceled) || !errors.Is(s.Err, context.Canceled) {
		t.Errorf("got %d, %v, %v want %v", n, err, s.Err, context.Canceled)
	}
}

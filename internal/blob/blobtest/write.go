package blobtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"stoa/internal/blob"
)

func overwrite(t *testing.T, s blob.Store) {
	key := folder() + "note"
	first := put(t, s, key, "the first and longer one")
	second, err := s.Put(t.Context(), key, strings.NewReader("second"), "text/markdown")
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	if first.ETag == second.ETag {
		t.Errorf("got the same ETag %q for other bytes", first.ETag)
	}
	got := open(t, s, key).Info
	if got.ETag != second.ETag || got.Size != 6 || got.ContentType != "text/markdown" {
		t.Errorf("got %+v want %+v", got, second)
	}
	wantData(t, s, key, "second")
}

// readersSeeOneVersion has writers replace an object by versions of other
// lengths, each of one letter, while readers read it.
func readersSeeOneVersion(t *testing.T, s blob.Store) {
	const writers, readers, each = 4, 4, 8
	key := folder() + "contested"
	version := func(i int) string { return strings.Repeat(string(rune('a'+i)), 100_000+i) }
	put(t, s, key, version(0))
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for range each {
				if _, err := s.Put(t.Context(), key, strings.NewReader(version(i)), "text/plain"); err != nil {
					t.Errorf("Put: %v", err)
				}
			}
		})
	}
	for range readers {
		wg.Go(func() {
			for range each {
				object, err := s.Open(t.Context(), key)
				if err != nil {
					t.Errorf("Open: %v", err)
					return
				}
				got, err := io.ReadAll(object)
				object.Close()
				if err != nil || len(got) == 0 || string(got) != version(int(got[0]-'a')) || object.Info.Size != int64(len(got)) {
					t.Errorf("got %d bytes of %d, %v want all of one version", len(got), object.Info.Size, err)
				}
			}
		})
	}
	wg.Wait()
}

func absent(t *testing.T, s blob.Store) {
	dir := folder()
	wantAbsent(t, s, dir+"nothing")
	put(t, s, dir+"a/b", "b")
	wantAbsent(t, s, dir+"a")
	wantAbsent(t, s, dir+"a/b/c")
	wantAbsent(t, s, dir+"a/B")
}

func deleteForgets(t *testing.T, s blob.Store) {
	dir := folder()
	put(t, s, dir+"a/b/c", "c")
	put(t, s, dir+"a/d", "d")
	for _, key := range []string{"a/b/c", "a/b/c", "a/b", "a", "a/d/e", "nothing"} {
		if err := s.Delete(t.Context(), dir+key); err != nil {
			t.Errorf("Delete %s: %v", key, err)
		}
	}
	wantAbsent(t, s, dir+"a/b/c")
	wantData(t, s, dir+"a/d", "d")
	put(t, s, dir+"a/b/c", "again")
	wantData(t, s, dir+"a/b/c", "again")
}

// failures are what a reader may end with. The second is that of an HTTP body
// whose sender went away.
var failures = []error{errors.New("broken"), io.ErrUnexpectedEOF, io.ErrClosedPipe}

func failedReader(t *testing.T, s blob.Store) {
	dir := folder()
	put(t, s, dir+"kept", "old")
	for _, size := range []int{0, 10, 9 << 20} {
		for _, failure := range failures {
			for _, key := range []string{dir + "kept", dir + "sub/new"} {
				r := io.MultiReader(bytes.NewReader(make([]byte, size)), iotest.ErrReader(failure))
				if _, err := s.Put(t.Context(), key, r, ""); !errors.Is(err, failure) || errors.Is(err, blob.ErrUnavailable) {
					t.Errorf("after %d bytes: got %v want %v", size, err, failure)
				}
			}
		}
	}
	wantData(t, s, dir+"kept", "old")
	wantAbsent(t, s, dir+"sub/new")
	if got := list(t, s, dir); len(got) != 1 {
		t.Errorf("got %q want only what was there before", got)
	}
}

func cancelledPut(t *testing.T, s blob.Store) {
	dir := folder()
	put(t, s, dir+"kept", "old")
	for _, size := range []int{0, 10, 9 << 20} {
		for _, key := range []string{dir + "kept", dir + "new"} {
			ctx, cancel := context.WithCancel(t.Context())
			r := io.MultiReader(bytes.NewReader(make([]byte, size)), readerFunc(func([]byte) (int, error) {
				cancel()
				return 0, io.EOF
			}))
			if _, err := s.Put(ctx, key, r, ""); !errors.Is(err, context.Canceled) || errors.Is(err, blob.ErrUnavailable) {
				t.Errorf("after %d bytes: got %v want %v", size, err, context.Canceled)
			}
		}
	}
	wantData(t, s, dir+"kept", "old")
	wantAbsent(t, s, dir+"new")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

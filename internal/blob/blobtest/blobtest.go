// Package blobtest says what every blob.Store must do.
package blobtest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"stoa/internal/blob"
)

// Run runs the suite. open gives a store that may hold other tests' objects.
func Run(t *testing.T, open func(*testing.T) blob.Store) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, blob.Store)
	}{
		{"PutThenOpen", putThenOpen},
		{"EmptyObject", emptyObject},
		{"PutWithoutAType", putWithoutAType},
		{"LargeObjectIsStreamed", largeObject},
		{"ReadFromAnyPosition", readFromAnyPosition},
		{"SeekOutsideIsRefused", seekOutside},
		{"ServesRangesOverHTTP", servesRanges},
		{"OverwriteReplacesAll", overwrite},
		{"ReadersSeeOneVersion", readersSeeOneVersion},
		{"OpenReaderOutlivesItsObject", openReaderOutlives},
		{"AbsentIsNotFound", absent},
		{"DeleteForgets", deleteForgets},
		{"ListInOrderByPrefix", listInOrder},
		{"ListStopsWhenAsked", listStops},
		{"FailedReaderChangesNothing", failedReader},
		{"CancelledPutChangesNothing", cancelledPut},
		{"CancelledListEnds", cancelledList},
		{"OddKeysAreKept", oddKeys},
		{"BadKeysAreRefused", badKeys},
		{"BadTypesAreRefused", badTypes},
		{"KeyIsNoFolderOfAnother", keyIsNoFolder},
		{"CanBeUsed", canBeUsed},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, open(t))
		})
	}
}

// folder makes the beginning of keys that no other test uses.
func folder() string { return "blobtest/" + rand.Text() + "/" }

func put(t *testing.T, s blob.Store, key, data string) blob.Info {
	t.Helper()
	info, err := s.Put(t.Context(), key, strings.NewReader(data), "text/plain")
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return info
}

func open(t *testing.T, s blob.Store, key string) *blob.Object {
	t.Helper()
	object, err := s.Open(t.Context(), key)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { object.Close() })
	return object
}

// wantData compares without printing megabytes.
func wantData(t *testing.T, s blob.Store, key, want string) {
	t.Helper()
	got, err := io.ReadAll(open(t, s, key))
	if err != nil {
		t.Fatalf("read %s: %v", key, err)
	}
	if string(got) != want {
		t.Errorf("%s: got %d bytes %.40q want %d bytes %.40q", key, len(got), got, len(want), want)
	}
}

func wantAbsent(t *testing.T, s blob.Store, key string) {
	t.Helper()
	object, err := s.Open(t.Context(), key)
	if err == nil {
		object.Close()
	}
	if !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Open %s: got %v want %v", key, err, blob.ErrNotFound)
	}
}

func list(t *testing.T, s blob.Store, prefix string) []string {
	t.Helper()
	var keys []string
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("List: %v", err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

func putThenOpen(t *testing.T, s blob.Store) {
	key := folder() + "picture.jpeg"
	before := time.Now().Add(-time.Minute) // a store may have a clock of its own
	info, err := s.Put(t.Context(), key, strings.NewReader("bytes"), "image/jpeg; q=\"1\"")
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	if info.ETag == "" || strings.ContainsAny(info.ETag, `"`) {
		t.Errorf("got ETag %q want one without quotes", info.ETag)
	}
	want := blob.Info{Key: key, ContentType: "image/jpeg; q=\"1\"", ETag: info.ETag, Size: 5}
	if info != want {
		t.Errorf("Put: got %+v want %+v", info, want)
	}
	got := open(t, s, key).Info
	if m := got.Modified; m.Before(before) || m.After(time.Now().Add(time.Minute)) || m.Nanosecond() != 0 || m.Location() != time.UTC {
		t.Errorf("got modified %v want about %v in whole seconds, UTC", m, time.Now())
	}
	got.Modified = time.Time{}
	if got != want {
		t.Errorf("Open: got %+v want %+v", got, want)
	}
	wantData(t, s, key, "bytes")
}

func emptyObject(t *testing.T, s blob.Store) {
	key := folder() + "empty"
	if info := put(t, s, key, ""); info.Size != 0 || info.ETag == "" {
		t.Errorf("got %+v want size 0 and an ETag", info)
	}
	if size := open(t, s, key).Info.Size; size != 0 {
		t.Errorf("got size %d want 0", size)
	}
	wantData(t, s, key, "")
}

func putWithoutAType(t *testing.T, s blob.Store) {
	key := folder() + "plain"
	if _, err := s.Put(t.Context(), key, strings.NewReader("x"), ""); err != nil {
		t.Fatalf("Put: %v", err)
	}
	if got := open(t, s, key).Info.ContentType; got != blob.DefaultContentType {
		t.Errorf("got %q want %q", got, blob.DefaultContentType)
	}
}

func largeObject(t *testing.T, s blob.Store) {
	key := folder() + "film.mp4"
	data := bytes.Repeat([]byte("0123456789abcdef!"), 20<<20/17)
	info, err := s.Put(t.Context(), key, onlyReader{bytes.NewReader(data)}, "video/mp4")
	if err != nil || info.Size != int64(len(data)) {
		t.Fatalf("Put: got %+v, %v want %d bytes", info, err, len(data))
	}
	object := open(t, s, key)
	if object.Info.ETag != info.ETag || object.Info.Size != info.Size || object.Info.ContentType != "video/mp4" {
		t.Errorf("Open: got %+v want %+v", object.Info, info)
	}
	got, err := io.ReadAll(object)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("got %d bytes, %v want the %d bytes that were put", len(got), err, len(data))
	}
}

// onlyReader has no length and no way back.
type onlyReader struct{ io.Reader }

func cancelledList(t *testing.T, s blob.Store) {
	dir := folder()
	put(t, s, dir+"a", "a")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for info, err := range s.List(ctx, dir) {
		if last != nil {
			t.Errorf("got %+v after an error", info)
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("got %v want %v", last, context.Canceled)
	}
}

func canBeUsed(t *testing.T, s blob.Store) {
	if err := s.Check(t.Context()); err != nil {
		t.Errorf("got %v, want a store that can be used", err)
	}
}

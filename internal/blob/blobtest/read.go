package blobtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/blob"
)

func readFromAnyPosition(t *testing.T, s blob.Store) {
	key := folder() + "digits"
	data := strings.Repeat("0123456789", 1000)
	put(t, s, key, data)
	object := open(t, s, key)
	for _, step := range []struct {
		offset int64
		whence int
		read   int
		at     int64
	}{
		{0, io.SeekEnd, 4, 10000},
		{0, io.SeekStart, 10, 0},
		{5, io.SeekCurrent, 10, 15},
		{-10, io.SeekEnd, 20, 9990},
		{1, io.SeekStart, 3, 1},
		{0, io.SeekCurrent, 3, 4},
		{9999, io.SeekStart, 1, 9999},
		{20000, io.SeekStart, 1, 20000},
		{0, io.SeekStart, 10000, 0},
	} {
		name := fmt.Sprintf("Seek(%d, %d)", step.offset, step.whence)
		at, err := object.Seek(step.offset, step.whence)
		if err != nil || at != step.at {
			t.Fatalf("%s: got %d, %v want %d", name, at, err, step.at)
		}
		want := data[min(at, 10000):min(at+int64(step.read), 10000)]
		got, err := io.ReadAll(io.LimitReader(object, int64(step.read)))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %.20q, %v want %.20q", name, got, err, want)
		}
	}
}

func seekOutside(t *testing.T, s blob.Store) {
	key := folder() + "short"
	put(t, s, key, "short")
	object := open(t, s, key)
	for _, step := range []struct {
		offset int64
		whence int
	}{{-1, io.SeekStart}, {-6, io.SeekEnd}, {-1, io.SeekCurrent}, {0, 17}} {
		if at, err := object.Seek(step.offset, step.whence); err == nil {
			t.Errorf("Seek(%d, %d): got %d want an error", step.offset, step.whence, at)
		}
	}
	if got, err := io.ReadAll(object); err != nil || string(got) != "short" {
		t.Errorf("after refused seeks: got %q, %v want all of it", got, err)
	}
}

func servesRanges(t *testing.T, s blob.Store) {
	key := folder() + "digits.txt"
	put(t, s, key, "0123456789")
	for given, want := range map[string]string{
		"":             "0123456789",
		"bytes=2-4":    "234",
		"bytes=7-":     "789",
		"bytes=-1":     "9",
		"bytes=0-":     "0123456789",
		"bytes=9-1000": "9",
	} {
		object := open(t, s, key)
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Range", given)
		w.Header().Set("Content-Type", object.Info.ContentType)
		http.ServeContent(w, r, "", object.Info.Modified, object)
		if got := w.Body.String(); got != want {
			t.Errorf("%q: got %d %q want %q", given, w.Code, got, want)
		}
	}
}

// openReaderOutlives lets a store choose: the old bytes to the end, or an error;
// never a mixture.
func openReaderOutlives(t *testing.T, s blob.Store) {
	dir := folder()
	old, young := strings.Repeat("old", 1<<20), strings.Repeat("new", 1<<20)
	for _, change := range []struct {
		name string
		do   func(key string)
	}{
		{"overwritten", func(key string) { put(t, s, key, young) }},
		{"deleted", func(key string) {
			if err := s.Delete(t.Context(), key); err != nil {
				t.Errorf("Delete: %v", err)
			}
		}},
	} {
		key := dir + change.name
		put(t, s, key, old)
		object := open(t, s, key)
		head := make([]byte, 3000)
		if _, err := io.ReadFull(object, head); err != nil {
			t.Fatalf("read: %v", err)
		}
		change.do(key)
		rest, err := io.ReadAll(object)
		if got := string(head) + string(rest); !strings.HasPrefix(old, got) || err == nil && got != old {
			t.Errorf("%s: got %d bytes, %v want the %d old ones", change.name, len(got), err, len(old))
		}
		if _, err := object.Seek(3, io.SeekStart); err != nil {
			t.Errorf("%s: Seek: %v", change.name, err)
		}
		again, err := io.ReadAll(object)
		if got := string(again); !strings.HasPrefix(old, got) || err == nil && got != old[3:] {
			t.Errorf("%s, from 3: got %d bytes %.10q, %v want %d old ones", change.name, len(got), got, err, len(old)-3)
		}
	}
}

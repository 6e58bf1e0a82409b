package blob_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/fault"
)

func TestContentTypeMustFitAHeader(t *testing.T) {
	for _, bad := range []string{"image/jpeg\r\nX-More: 1", "image/\x00", "bild/größe", " image/png", strings.Repeat("a", 256)} {
		if _, err := blob.CheckPut("key", bad); !errors.Is(err, fault.Invalid) {
			t.Errorf("%q: got %v want %v", bad, err, fault.Invalid)
		}
	}
	for given, want := range map[string]string{
		"":                              blob.DefaultContentType,
		"text/plain; charset=\"utf-8\"": "text/plain; charset=\"utf-8\"",
	} {
		if got, err := blob.CheckPut("key", given); err != nil || got != want {
			t.Errorf("%q: got %q, %v want %q", given, got, err, want)
		}
	}
}

// A key is used as a path below a folder and as a part of an address.
func FuzzKeyIsAPathThatStaysInside(f *testing.F) {
	for _, key := range []string{"a", "a/b.c", "../a", "a//b", "a/./b", "/a", "a/", "ä", "a\x00", "a\\b", "%2e%2e"} {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if blob.CheckKey(key) != nil {
			return
		}
		if !fs.ValidPath(key) || key == "." || strings.ContainsAny(key, "\\%?#~ \x00") || len(key) > 512 {
			t.Errorf("%q: got no error", key)
		}
	})
}

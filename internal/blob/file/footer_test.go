package file

import (
	"testing"

	"stoa/internal/blob"
)

func FuzzFooter(f *testing.F) {
	f.Add([]byte(mark))
	f.Add(footer(blob.Info{ContentType: "image/jpeg", ETag: "0123456789abcdef0123456789abcdef"}))
	f.Fuzz(func(t *testing.T, end []byte) {
		info, size, ok := parseFooter(end)
		if !ok {
			return
		}
		if again := footer(info); size > len(end) || string(again) != string(end[len(end)-size:]) {
			t.Errorf("got %+v of %q, written again %q", info, end, again)
		}
	})
}

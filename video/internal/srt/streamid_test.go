package srt

import (
	"errors"
	"strings"
	"testing"

	"stoa/video/internal/porter"
)

func TestStreamKey(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		id, want string
		err      error
	}{
		{"4f1b-key", "4f1b-key", nil},
		{" 4f1b-key\n", "4f1b-key", nil},
		{"#!::r=4f1b-key,m=publish", "4f1b-key", nil},
		{"#!::m=publish,u=admin,r=4f1b-key", "4f1b-key", nil},
		{"#!::r=4f1b-key", "4f1b-key", nil},
		{"%23!::r%3D4f1b-key,m%3Dpublish", "4f1b-key", nil},
		{"#!::r=4f1b-key,m=bidirectional", "4f1b-key", nil},
		{"#!::r=4f1b-key,m=request", "", errMode},
		{"#!::r=4f1b-key,m=other", "", errStreamID},
		{"#!::m=publish", "", errStreamID},
		{"#!{r=4f1b-key}", "#!{r=4f1b-key}", nil}, // no key is like this
		{"", "", errStreamID},
		{"4f1b key", "", errStreamID},
		{"4f1b\x00key", "", errStreamID},
		{"4f1b-kéy", "", errStreamID},
		{strings.Repeat("k", 129), "", errStreamID},
	} {
		if got, err := streamKey(test.id); got != test.want || !errors.Is(err, test.err) {
			t.Errorf("%q: got %q, %v want %q, %v", test.id, got, err, test.want, test.err)
		}
	}
}

func FuzzStreamKey(f *testing.F) {
	f.Add("4f1b-key")
	f.Add("#!::r=4f1b-key,m=publish")
	f.Add("%23!::r%3D4f1b-key")
	f.Fuzz(func(t *testing.T, id string) {
		key, err := streamKey(id)
		if err == nil && !porter.IsKey(key) {
			t.Errorf("%q: got key %q", id, key)
		}
	})
}

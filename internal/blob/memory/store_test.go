package memory_test

import (
	"errors"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/blobtest"
	"stoa/internal/blob/memory"
)

func TestStore(t *testing.T) {
	blobtest.Run(t, func(*testing.T) blob.Store { return memory.New() })
}

// A test that passes here must not fail in a folder.
func TestRefusesWhatAFolderRefuses(t *testing.T) {
	t.Parallel()
	s := memory.New()
	for _, step := range []struct {
		key  string
		want error
	}{
		{"a", nil}, {"a/b", blob.ErrFolder}, {"a/b/c", blob.ErrFolder}, {"ab/c", nil},
		{"b/c/d", nil}, {"b", blob.ErrFolder}, {"b/c", blob.ErrFolder}, {"b/c/d", nil}, {"b/cd", nil},
	} {
		if _, err := s.Put(t.Context(), step.key, strings.NewReader("x"), ""); !errors.Is(err, step.want) {
			t.Errorf("%s: got %v want %v", step.key, err, step.want)
		}
	}
}

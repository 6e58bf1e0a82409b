package video

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestScratchFoldersOfTheDeadAreRemoved(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dead, living := &scratch{parent: parent}, &scratch{parent: parent}
	for _, s := range []*scratch{dead, living} {
		if _, err := s.new("source"); err != nil {
			t.Fatal(err)
		}
	}
	dead.lock.Close() // as the system does
	next := &scratch{parent: parent}
	folder, err := next.new("source")
	if err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(parent + "/*")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{living.folder, next.folder}
	slices.Sort(want)
	if !slices.Equal(left, want) {
		t.Errorf("got %v want those of the living %v", left, want)
	}
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v want a folder for us alone", info, err)
	}
}

package video

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/memory"
)

func newCopies(t *testing.T) (*localCopies, blob.Store) {
	store := memory.New()
	for _, key := range []string{"a/1", "a/2", "b/1"} {
		if _, err := store.Put(t.Context(), key, strings.NewReader("bytes of "+key), ""); err != nil {
			t.Fatal(err)
		}
	}
	return newLocalCopies(store, &scratch{parent: t.TempDir()}), store
}

var partsOfA = []part{{1, 12, "a/1"}, {2, 12, "a/2"}}

func TestJobsOfAVideoShareItsCopy(t *testing.T) {
	t.Parallel()
	copies, _ := newCopies(t)
	var users sync.WaitGroup
	paths := make([]string, 8)
	for i := range paths {
		users.Go(func() {
			in, release, err := copies.open(t.Context(), "a", partsOfA)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			content, err := os.ReadFile(in.Parts[1].Path)
			if err != nil || string(content) != "bytes of a/2" || in.Size() != 24 {
				t.Errorf("got %q, %v want the second part", content, err)
			}
			paths[i] = in.Parts[1].Path
		})
	}
	users.Wait()
	for _, path := range paths {
		if path != paths[0] {
			t.Errorf("got copies at %v want one", paths)
		}
	}
	copies.dropIdle()
	if _, err := os.Stat(paths[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v want the copy removed", err)
	}
}

func TestOnlyTheLastUnusedCopyIsKept(t *testing.T) {
	t.Parallel()
	copies, _ := newCopies(t)
	open := func(id, key string) (string, func()) {
		in, release, err := copies.open(t.Context(), id, []part{{1, 12, key}})
		if err != nil {
			t.Fatal(err)
		}
		return in.Parts[0].Path, release
	}
	a, releaseA := open("a", "a/1")
	b, releaseB := open("b", "b/1")
	releaseA()
	releaseA() // once is enough
	if _, err := os.Stat(a); err != nil {
		t.Errorf("got %v want the copy kept for a while", err)
	}
	releaseB()
	if _, err := os.Stat(a); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v want the older copy removed", err)
	}
	if again, _ := open("b", "b/1"); again != b {
		t.Errorf("got %s want the copy %s that is there", again, b)
	}
}

func TestCopyThatFailsIsMadeByTheNext(t *testing.T) {
	t.Parallel()
	copies, store := newCopies(t)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := copies.open(ended, "a", partsOfA); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v want %v", err, context.Canceled)
	}
	if err := store.Delete(t.Context(), "a/2"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := copies.open(t.Context(), "a", partsOfA); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v want %v", err, blob.ErrNotFound)
	}
	if len(copies.all) != 0 {
		t.Errorf("got %v remembered want nothing", copies.all)
	}
	_, release, err := copies.open(t.Context(), "a", partsOfA[:1])
	if err != nil {
		t.Fatal(err)
	}
	release()
}

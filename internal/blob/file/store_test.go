package file_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/blob"
	"stoa/internal/blob/blobtest"
	"stoa/internal/blob/file"
)

func TestStore(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return openStore(t, t.TempDir()) })
}

func openStore(t *testing.T, folder string) *file.Store {
	t.Helper()
	s, err := file.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func put(t *testing.T, s *file.Store, key, data string) blob.Info {
	t.Helper()
	info, err := s.Put(t.Context(), key, strings.NewReader(data), "text/plain")
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// tree is every file and folder of a store but the one for incoming files.
func tree(t *testing.T, folder string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." && name != "~incoming" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestObjectsSurviveARestart(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "made", "on", "the", "way")
	first, err := file.New(folder)
	if err != nil {
		t.Fatal(err)
	}
	want := put(t, first, "a/b.txt", "bytes")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	object, err := openStore(t, folder).Open(t.Context(), "a/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	data, err := io.ReadAll(object)
	got := object.Info
	got.Modified = time.Time{}
	if err != nil || string(data) != "bytes" || got != want {
		t.Errorf("got %q, %v, %+v want %q, %+v", data, err, got, "bytes", want)
	}
}

func TestDeleteTakesEmptyFoldersAway(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openStore(t, folder)
	put(t, s, "a/b/c/d", "d")
	put(t, s, "a/e", "e")
	if err := s.Delete(t.Context(), "a/b/c/d"); err != nil {
		t.Fatal(err)
	}
	if got, want := tree(t, folder), []string{"a", "a/e"}; !slices.Equal(got, want) {
		t.Errorf("got %q want %q", got, want)
	}
	if err := s.Delete(t.Context(), "a/e"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, folder); len(got) != 0 {
		t.Errorf("got %q want nothing", got)
	}
}

// A Delete takes folders away that a Put beside it has just made or found.
func TestPutBesideDelete(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openStore(t, folder)
	var wg sync.WaitGroup
	for _, key := range []string{"deep/down/a/x", "deep/down/b/x", "deep/down/c", "deep/d"} {
		wg.Go(func() {
			for range 20 {
				if _, err := s.Put(t.Context(), key, strings.NewReader(key), ""); err != nil {
					t.Errorf("Put: %v", err)
				}
				object, err := s.Open(t.Context(), key)
				if err != nil {
					t.Errorf("Open: %v", err)
					return
				}
				object.Close()
				if err := s.Delete(t.Context(), key); err != nil {
					t.Errorf("Delete: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if got := tree(t, folder); len(got) != 0 {
		t.Errorf("got %q left want nothing", got)
	}
}

// A Delete takes folders away that a List beside it has just opened.
func TestListBesideDelete(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 300 {
			if _, err := s.Put(t.Context(), "deep/down/x", strings.NewReader("x"), ""); err != nil {
				t.Errorf("Put: %v", err)
			}
			if err := s.Delete(t.Context(), "deep/down/x"); err != nil {
				t.Errorf("Delete: %v", err)
			}
		}
	}()
	for {
		for _, err := range s.List(t.Context(), "") {
			if err != nil {
				t.Errorf("List: %v", err)
			}
		}
		select {
		case <-done:
			return
		default:
		}
	}
}

func TestFailedPutLeavesNoFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openStore(t, folder)
	put(t, s, "a", "a")
	for _, key := range []string{"a/b", "a/b/c"} {
		if _, err := s.Put(t.Context(), key, strings.NewReader("x"), ""); !errors.Is(err, blob.ErrFolder) {
			t.Errorf("%s: got %v want %v", key, err, blob.ErrFolder)
		}
	}
	if got, want := tree(t, folder), []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestPutTakesThePlaceOfAnEmptyFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openStore(t, folder)
	if err := os.Mkdir(filepath.Join(folder, "a"), 0o700); err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", "a")
	if got, want := tree(t, folder), []string{"a"}; !slices.Equal(got, want) {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestOldLeftoversAreSwept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	openStore(t, folder)
	for name, age := range map[string]time.Duration{"killed": 61 * time.Minute, "writing": 59 * time.Minute} {
		name = filepath.Join(folder, "~incoming", name)
		if err := os.WriteFile(name, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	s := openStore(t, folder)
	if got, want := tree(t, folder), []string{"~incoming/writing"}; !slices.Equal(got, want) {
		t.Errorf("got %q want %q", got, want)
	}
	for info, err := range s.List(t.Context(), "") {
		t.Errorf("got %+v, %v listed want nothing", info, err)
	}
}

// Whoever starts a killed process again does so at once.
func TestLeftoversOfAMomentAgoAreSweptLater(t *testing.T) {
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		openStore(t, folder)
		left := filepath.Join(folder, "~incoming", "killed")
		if err := os.WriteFile(left, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(left, time.Time{}, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(59 * time.Minute)
		if got := tree(t, folder); len(got) != 1 {
			t.Errorf("got %q want it left for an hour", got)
		}
		time.Sleep(2 * time.Hour)
		if got := tree(t, folder); len(got) > 0 {
			t.Errorf("got %q want nothing", got)
		}
	})
}

func TestForeignFilesAreNotSeen(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	s := openStore(t, folder)
	if err := os.WriteFile(filepath.Join(folder, "readme.txt"), []byte(strings.Repeat("put here by hand ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc", filepath.Join(folder, "etc")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"readme.txt", "etc"} {
		if _, err := s.Open(t.Context(), key); !errors.Is(err, blob.ErrNotFound) && !errors.Is(err, blob.ErrUnavailable) {
			t.Errorf("%s: got %v want a refusal", key, err)
		}
	}
	if _, err := s.Put(t.Context(), "etc/passwd", strings.NewReader("x"), ""); err == nil {
		t.Error("got no error for a way out of the folder")
	}
	for info, err := range s.List(t.Context(), "") {
		t.Errorf("got %+v, %v listed want nothing", info, err)
	}
}

func TestFolderThatIsGoneIsUnavailable(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "store")
	s := openStore(t, folder)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), "a", strings.NewReader("a"), ""); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("got %v want %v", err, blob.ErrUnavailable)
	}
}

// The disk begins with a large object while the rest of it is still coming.
func TestALargeObjectIsWhole(t *testing.T) {
	t.Parallel()
	s := openStore(t, t.TempDir())
	want := strings.Repeat("0123456789abcde", 1<<20) // not a multiple of what is begun with
	info := put(t, s, "film", want)
	object, err := s.Open(t.Context(), "film")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	got, err := io.ReadAll(object)
	if err != nil || string(got) != want || info.Size != int64(len(want)) {
		t.Errorf("got %d bytes (%v) and a size of %d, want the %d that were put", len(got), err, info.Size, len(want))
	}
}

func TestCheckMissesARemovedFolder(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "objects")
	s := openStore(t, folder)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "was removed") {
		t.Errorf("got %v, want that the folder was removed", err)
	}
}

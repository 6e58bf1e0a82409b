package file_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/fault"
)

func TestPathLeadsToTheBytes(t *testing.T) {
	t.Chdir(t.TempDir())
	store, err := file.New("objects") // not absolute
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Put(t.Context(), "a/b.txt", strings.NewReader("hello"), "text/plain"); err != nil {
		t.Fatal(err)
	}
	path, size, err := store.Path("a/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("/")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if size != 5 || string(content[:size]) != "hello" {
		t.Errorf("got %q of %d bytes want hello", content, size)
	}
	if _, _, err := store.Path("a/c.txt"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v want %v", err, blob.ErrNotFound)
	}
	if _, _, err := store.Path("../b.txt"); !errors.Is(err, fault.Invalid) {
		t.Errorf("got %v want a refusal", err)
	}
}

package secret_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"stoa/internal/secret"
)

func TestFileKeyIsMadeOnce(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "secret")
	first, err := secret.FileKey(path)
	if err != nil || len(first) != 43 {
		t.Fatalf("got %d characters, %v, want 43", len(first), err)
	}
	second, err := secret.FileKey(path)
	if err != nil || second != first {
		t.Errorf("again: got another, %v, want the same", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("got %d files, %v, want the secret alone", len(entries), err)
	}
	box(t, first)
}

func TestFileKeysOfProcessesThatStartTogether(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	keys := make([]string, 16)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() {
			var err error
			if keys[i], err = secret.FileKey(path); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, key := range keys {
		if key != keys[0] {
			t.Error("got another key, want one for all")
		}
	}
}

func TestFileKeyOfOthers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(" "+text+"\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := secret.FileKey(path); err != nil || got != text {
		t.Errorf("got %q, %v, want %q", got, err, text)
	}
}

func TestDamagedFileKeyIsNotReplaced(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := secret.FileKey(path); err == nil {
		t.Error("empty file: got a key, want an error")
	}
	if content, err := os.ReadFile(path); err != nil || len(content) != 0 {
		t.Errorf("got %d bytes, %v, want the file as it was", len(content), err)
	}
}

func TestFileKeyWithoutFolder(t *testing.T) {
	t.Parallel()
	if _, err := secret.FileKey(filepath.Join(t.TempDir(), "none", "secret")); err == nil {
		t.Error("got a key, want an error")
	}
}

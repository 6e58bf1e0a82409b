package render_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/inventory/render"
)

func file(node, path, content string) render.File {
	return render.File{Node: node, Path: path, Mode: 0o640, Content: []byte(content)}
}

// tree is every file below a folder but the marker.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == ".stoa_render" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		found[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func write(t *testing.T, dir, node string, files ...render.File) {
	t.Helper()
	if err := render.Write(dir, files, node, false); err != nil {
		t.Fatal(err)
	}
}

func wantTree(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("tree (-want +got):\n%s", diff)
	}
}

func TestWriteReplacesAnEarlierRun(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "folder")
	write(t, dir, "", file("a", "/etc/one", "1"), file("a", "/etc/gone/two", "2"), file("", "three", "3"))
	wantTree(t, dir, map[string]string{"a/etc/one": "1", "a/etc/gone/two": "2", "cluster/three": "3"})
	info, err := os.Stat(filepath.Join(dir, "a/etc/one"))
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("got mode %v, %v", info.Mode(), err)
	}

	write(t, dir, "", file("a", "/etc/one", "new"), file("a", "/etc/gone", "a file now"))
	wantTree(t, dir, map[string]string{"a/etc/one": "new", "a/etc/gone": "a file now"})
	if _, err := os.Stat(filepath.Join(dir, "cluster")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder stays: %v", err)
	}
}

func TestWriteOfOneNodeKeepsTheOthers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "", file("a", "/one", "1"), file("b", "/one", "1"), file("", "x", "x"))
	write(t, dir, "a", file("a", "/two", "2"))
	wantTree(t, dir, map[string]string{"a/two": "2", "b/one": "1", "cluster/x": "x"})
	write(t, dir, "", file("a", "/two", "2"))
	wantTree(t, dir, map[string]string{"a/two": "2"})
}

func TestWriteRefusesForeignFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own"), []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := []render.File{file("a", "/one", "1")}
	if err := render.Write(dir, files, "", false); !errors.Is(err, render.ErrForeign) {
		t.Errorf("got %v want ErrForeign", err)
	}
	wantTree(t, dir, map[string]string{"own": "precious"})
	if err := render.Write(dir, files, "", true); err != nil {
		t.Fatal(err)
	}
	wantTree(t, dir, map[string]string{"own": "precious", "a/one": "1"})
}

func TestWriteStaysBelowTheFolder(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	write(t, dir, "", file("b", "/one", "1"))
	if err := os.Symlink(outside, filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if err := render.Write(dir, []render.File{file("a", "/one", "1")}, "", false); err == nil {
		t.Error("a link led out of the folder")
	}
	wantTree(t, outside, map[string]string{})
}

func TestFailedWriteChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "", file("a", "/one", "1"))
	bad := []render.File{file("a", "/one", "new"), file("a", "/one/below", "impossible")}
	if err := render.Write(dir, bad, "", false); err == nil {
		t.Fatal("a file became a folder")
	}
	wantTree(t, dir, map[string]string{"a/one": "1"})
}

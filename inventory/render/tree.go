package render

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Names that no node can have.
const (
	markerName = ".stoa_render"     // what we wrote here, a name per line
	stageName  = ".stoa_render.new" // what we are about to put in place
)

const markerHead = "written by stoa inventory render; files named here are replaced and removed"

// ErrForeign is a folder with files that Write did not put there.
var ErrForeign = errors.New("has files that were not rendered")

// Write puts files below a folder: NODE/absolute/path, and cluster/ for what
// belongs to the cluster. The folder must be new, empty or written by Write
// before, unless forced. All is written aside first, so that a full disk leaves
// everything as it was. Files of an earlier run that are not among these are
// removed; with node only those of that node.
func Write(dir string, files []File, node string, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	before, err := earlier(root)
	if errors.Is(err, ErrForeign) && force {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return replace(root, files, before, node)
}

// earlier is the names that an earlier run wrote.
func earlier(root *os.Root) ([]string, error) {
	text, err := root.ReadFile(markerName)
	if err == nil {
		head, names, _ := strings.Cut(strings.TrimSuffix(string(text), "\n"), "\n")
		if head != markerHead {
			return nil, fmt.Errorf("%s is not ours", markerName)
		}
		return slices.DeleteFunc(strings.Split(names, "\n"), func(name string) bool { return name == "" }), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	found, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(found, func(e fs.DirEntry) bool { return e.Name() != stageName }) {
		return nil, ErrForeign
	}
	return nil, nil
}

func replace(root *os.Root, files []File, before []string, node string) error {
	if err := root.RemoveAll(stageName); err != nil {
		return err
	}
	if err := stage(root, files); err != nil {
		return errors.Join(err, root.RemoveAll(stageName))
	}
	now, all := make(map[string]bool), slices.Clone(before)
	for _, f := range files {
		now[f.Name()] = true
		all = append(all, f.Name())
	}
	if err := mark(root, all); err != nil { // even if what follows is cut short
		return err
	}
	kept := make([]string, 0, len(files))
	for _, name := range before {
		switch {
		case now[name]:
		case node != "" && !strings.HasPrefix(name, node+"/"):
			kept = append(kept, name)
		default:
			if err := removeFile(root, name); err != nil {
				return err
			}
		}
	}
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.Name()), 0o755); err != nil {
			return err
		}
		if err := root.Rename(stageName+"/"+f.Name(), f.Name()); err != nil {
			return err
		}
		kept = append(kept, f.Name())
	}
	if err := mark(root, kept); err != nil {
		return err
	}
	return root.RemoveAll(stageName)
}

// stage writes files aside.
func stage(root *os.Root, files []File) error {
	if err := root.Mkdir(stageName, 0o700); err != nil {
		return err
	}
	for _, f := range files {
		name := stageName + "/" + f.Name()
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(name, f.Content, private); err != nil {
			return err
		}
		if err := root.Chmod(name, f.Mode); err != nil {
			return err
		}
	}
	return nil
}

// mark says which files are ours, before anything is moved and after it.
func mark(root *os.Root, names []string) error {
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	text := markerHead + "\n" + strings.Join(names, "\n") + "\n"
	if err := root.WriteFile(stageName+"/"+markerName, []byte(text), public); err != nil {
		return err
	}
	return root.Rename(stageName+"/"+markerName, markerName)
}

// removeFile takes a file away, and folders that it leaves empty.
func removeFile(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		if root.Remove(folder) != nil {
			break
		}
	}
	return nil
}

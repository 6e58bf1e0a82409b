package rulefiles

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mostEntries bounds the files and folders looked at, in case somebody names
// the root of a disk.
const mostEntries = 10_000

var errTooMany = errors.New("too many files and folders")

// listing is the rule files below a folder, unread.
type listing struct {
	missing    bool     // there is no such folder
	unreadable bool     // there is, but it cannot be read
	files      []file   // sorted by name
	skipped    []string // names of what might be thought to be rules, but is not
	folders    []string // the folder and those below, real paths, parents first

	dir     string
	real    string
	dots    bool // names with a dot in front are left out
	entries int
}

type file struct {
	name string      // below the folder, with slashes
	info fs.FileInfo // of what a symlink leads to
	link bool
	err  error // instead of info; also of a folder that cannot be read
}

// list fails when the folder itself cannot be read, except when it is missing.
func list(dir string, ignoreDotFiles bool) (listing, error) {
	l := listing{dir: dir, dots: ignoreDotFiles}
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		l.real = real
		err = filepath.WalkDir(real, l.visit)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return listing{dir: dir, missing: true}, nil
	}
	if err != nil {
		return listing{dir: dir, unreadable: true}, err
	}
	slices.SortFunc(l.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	slices.Sort(l.skipped)
	return l, nil
}

func (l *listing) visit(path string, entry fs.DirEntry, err error) error {
	if path == l.real {
		return l.visitTop(entry, err)
	}
	if base := entry.Name(); strings.HasPrefix(base, "..") || l.dots && strings.HasPrefix(base, ".") {
		return leaveOut(entry)
	}
	name := l.name(path)
	if err != nil {
		l.files = append(l.files, file{name: name, err: err})
		return leaveOut(entry)
	}
	if l.entries++; l.entries > mostEntries {
		return errTooMany
	}
	switch {
	case entry.IsDir():
		l.folders = append(l.folders, path)
	case hasRules(name):
		l.add(file{name: name, link: entry.Type()&fs.ModeSymlink != 0}, path)
	default:
		l.skipped = append(l.skipped, name)
	}
	return nil
}

func (l *listing) visitTop(entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case !entry.IsDir():
		return &fs.PathError{Op: "read", Path: l.dir, Err: errors.New("not a folder")}
	}
	l.folders = append(l.folders, l.real)
	return nil
}

// add keeps what is a regular file, or a link to one: a folder behind a link may
// be one that was visited already, or that contains the link.
func (l *listing) add(f file, path string) {
	f.info, f.err = os.Stat(path)
	if f.err == nil && !f.info.Mode().IsRegular() {
		l.skipped = append(l.skipped, f.name)
		return
	}
	l.files = append(l.files, f)
}

func (l *listing) name(path string) string {
	name, err := filepath.Rel(l.real, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

func hasRules(name string) bool {
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

func leaveOut(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// same tells whether two listings are of the same files with the same content,
// as far as that shows without reading.
func (l listing) same(other listing) bool {
	return l.missing == other.missing && l.unreadable == other.unreadable && slices.EqualFunc(l.files, other.files, func(a, b file) bool {
		if a.name != b.name || a.err != nil || b.err != nil {
			return a.name == b.name && a.err != nil && b.err != nil
		}
		return os.SameFile(a.info, b.info) && a.info.Size() == b.info.Size() &&
			a.info.Mode() == b.info.Mode() && a.info.ModTime().Equal(b.info.ModTime())
	})
}

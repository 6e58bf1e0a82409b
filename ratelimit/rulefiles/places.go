package rulefiles

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// places is where something has to happen for the rules to be read again. All
// paths are real ones, so that no folder is watched under two names.
//
// A folder on the way to the rules tells itself when it is moved or deleted. Its
// parent, where unrelated files may be written all the time, is watched only for
// a symlink or for what is missing.
type places struct {
	folders []string        // to watch, parents first
	watched map[string]bool // the same
	whole   map[string]bool // those in which everything counts
	names   map[string]bool // paths that count in the others
}

// mostLinks is where a chain of symlinks is taken for a circle.
const mostLinks = 40

func newPlaces() places {
	return places{watched: make(map[string]bool), whole: make(map[string]bool), names: make(map[string]bool)}
}

func (c Config) places() places {
	p := newPlaces()
	path, err := filepath.Abs(c.Root)
	if err != nil || !p.step(path) {
		return p
	}
	for _, name := range parts(filepath.Join(c.Subdirectory, c.AppDirectory)) {
		if path = filepath.Join(path, name); !p.step(path) {
			return p
		}
	}
	l, _ := list(path, c.IgnoreDotFiles) // with an error, the way there is watched
	for _, folder := range l.folders {
		p.watch(folder)
		p.whole[folder] = true
	}
	for _, f := range l.files {
		if f.link {
			p.target(filepath.Join(l.real, filepath.FromSlash(f.name)))
		}
	}
	return p
}

// counts tells whether what happened to a path can change the rules.
func (p places) counts(path string) bool {
	path = filepath.Clean(path)
	return p.watched[path] || p.names[path] || p.whole[filepath.Dir(path)]
}

func (p *places) watch(path string) {
	if !p.watched[path] {
		p.folders = append(p.folders, path)
		p.watched[path] = true
	}
}

// step watches one folder of the way, and reports whether it is there.
func (p *places) step(path string) bool {
	real, ok := p.follow(path)
	if ok {
		p.watch(real)
	}
	return ok
}

// filePlaces is the places of a single file, which need not be there.
func filePlaces(path string) places {
	p := newPlaces()
	if path, err := filepath.Abs(path); err == nil {
		p.target(path)
	}
	return p
}

// target watches a file, or the one behind a symlink.
func (p *places) target(path string) {
	if real, ok := p.follow(path); ok {
		p.watch(filepath.Dir(real))
		p.names[real] = true
	}
}

// follow finds the real path and watches each symlink on the way, or the first
// name that is not there.
func (p *places) follow(path string) (real string, ok bool) {
	real = filepath.VolumeName(path) + string(filepath.Separator)
	rest := parts(path)
	for links := 0; len(rest) > 0; rest = rest[1:] {
		if rest[0] == ".." {
			real = filepath.Dir(real)
			continue
		}
		next := filepath.Join(real, rest[0])
		info, err := os.Lstat(next)
		if err == nil && info.Mode()&fs.ModeSymlink == 0 {
			real = next
			continue
		}
		p.watch(real)
		p.names[next] = true
		if links++; err != nil || links > mostLinks {
			return "", false
		}
		to, err := os.Readlink(next)
		if err != nil {
			return "", false
		}
		if filepath.IsAbs(to) {
			real = filepath.VolumeName(to) + string(filepath.Separator)
		}
		rest = append([]string{""}, append(parts(to), rest[1:]...)...)
	}
	return real, true
}

// parts is the names of a path.
func parts(path string) []string {
	return strings.FieldsFunc(path[len(filepath.VolumeName(path)):], func(r rune) bool {
		return r < 0x80 && os.IsPathSeparator(uint8(r))
	})
}

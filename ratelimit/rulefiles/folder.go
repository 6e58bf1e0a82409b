package rulefiles

import (
	"cmp"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// Folder is the files of the rate limit service, for somebody who edits them. A Watcher
// of the same folder puts in force what others write there.
type Folder struct {
	Config Config
	Merge  bool // a domain may come in several files
	Loader *ratelimit.Loader

	mu sync.Mutex // one write at a time
}

// Faults is what keeps the files, as they stand, from being in force.
func (f *Folder) Faults() ratelimit.Faults { return f.Loader.Faults() }

// Names is the rule files that are there, with slashes, sorted. That the folder cannot be
// read is among the Faults.
func (f *Folder) Names() []string {
	l, _ := list(f.Config.Dir(), f.Config.IgnoreDotFiles)
	names := make([]string, len(l.files))
	for i, file := range l.files {
		names[i] = file.name
	}
	return names
}

// Read is a file as it stands; one that is not there is empty.
func (f *Folder) Read(name string) (Text, error) {
	if err := f.checkName(name); err != nil {
		return Text{}, err
	}
	return f.read(name)
}

func (f *Folder) read(name string) (Text, error) {
	return readText(name, filepath.Join(f.Config.Dir(), filepath.FromSlash(name)))
}

// checkName takes names that stay in the folder and that a Watcher would read.
func (f *Folder) checkName(name string) error {
	if !fs.ValidPath(name) || !filepath.IsLocal(name) || !hasRules(name) || strings.ContainsAny(name, "\\\x00") || len(name) > 200 {
		return fault.New(fault.Invalid, "%q is no name of a rule file: want letters, such as shop.yaml", name)
	}
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") {
			return fault.New(fault.Invalid, "%q is no name of a rule file: it is hidden", name)
		}
	}
	return f.stays(path.Dir(name))
}

// stays refuses folders that a link leads out of here, or anywhere.
func (f *Folder) stays(folder string) error {
	top, err := filepath.EvalSymlinks(f.Config.Dir())
	if err != nil {
		return nil // it is not there yet: nothing in it leads anywhere
	}
	inside := filepath.Join(top, filepath.FromSlash(folder))
	if real, err := filepath.EvalSymlinks(inside); err == nil && real != inside {
		return fault.New(fault.Invalid, "%s is a link: only files in the rule folder are shown", folder)
	}
	return nil
}

// Check compiles the files with a text in the place of one of them. The error is Faults,
// of all files.
func (f *Folder) Check(name string, text []byte) (*ratelimit.Rules, error) {
	if err := f.checkName(name); err != nil {
		return nil, err
	}
	l, err := list(f.Config.Dir(), f.Config.IgnoreDotFiles)
	r := reading{listing: l}
	if err != nil {
		r.fault(f.Config.Dir(), err)
	}
	at, there := slices.BinarySearchFunc(l.files, name, func(f file, name string) int { return cmp.Compare(f.name, name) })
	if !there {
		r.files = slices.Insert(r.files, at, file{name: name})
	}
	for _, file := range r.files {
		if file.name == name {
			r.parse(name, text)
			continue
		}
		r.take(file)
	}
	return ratelimit.NewRules(r.specs, f.Merge, r.faults...)
}

// Write puts a text in the place of a file as it was read, and all files in force. The
// error is ErrChanged, Faults, or of the disk.
func (f *Folder) Write(name string, text []byte, version string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.Check(name, text); err != nil {
		return err
	}
	now, err := f.read(name)
	if err != nil {
		return err
	}
	if err := replaceIf(now, text, version); err != nil {
		return err
	}
	specs, faults, _, err := Read(f.Config.Dir(), f.Config.IgnoreDotFiles)
	if err != nil {
		return err
	}
	return f.Loader.Load(specs, faults)
}

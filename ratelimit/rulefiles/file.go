package rulefiles

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sync"

	"github.com/fsnotify/fsnotify"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// FileOptions is what a File is made of.
type FileOptions struct {
	Name     string               // as faults and people call it
	Path     string               // where it is, or may come to be
	Usual    []byte               // what holds while it is not there; nil: it has to be there
	Written  string               // the domain that the file is for
	Domain   string               // the one that its rules hold in
	Limiters []*ratelimit.Limiter // that decide by them
	Log      *slog.Logger
}

// File is one file with the rules of one domain, which may be edited at any time: a good
// edit holds at once, a bad one changes nothing.
type File struct {
	FileOptions
	changes

	mu      sync.Mutex // one load or write at a time
	version string     // of the text that was looked at last
	faults  ratelimit.Faults
}

// OpenFile puts the rules in force for the first time. A file with faults, where there
// are usual rules, is told in the log; where there are none, it is the error.
func OpenFile(o FileOptions) (*File, error) {
	f := &File{FileOptions: o}
	f.changes = changes{
		log: o.Log, of: o.Path, places: func() places { return filePlaces(o.Path) }, differs: f.differ, notify: fsnotify.NewWatcher,
	}
	if f.Usual != nil {
		if err := f.use(f.Usual); err != nil {
			return nil, err
		}
	}
	f.load()
	if f.Usual == nil && f.faults != nil {
		return nil, f.faults
	}
	return f, nil
}

// Run reads the file again whenever it changes, until the context ends.
func (f *File) Run(ctx context.Context) error {
	f.each(ctx, f.load)
	return nil
}

// differ tells whether the file is another than the one that was looked at last.
func (f *File) differ() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	t, err := f.read()
	return err == nil && t.Version != f.version
}

func (f *File) load() {
	f.mu.Lock()
	defer f.mu.Unlock()
	t, err := f.read()
	if err != nil {
		f.reject(ratelimit.Faults{unreadable(f.Name, err)})
		return
	}
	if t.Version == f.version {
		return
	}
	f.version = t.Version
	if err := f.use(t.Text); err != nil {
		f.reject(err)
		return
	}
	f.faults = nil
	f.Log.Info("rules in force", "domain", f.Domain, "path", f.Path, "there", t.There)
}

// reject leaves the rules as they are, and says why.
func (f *File) reject(faults ratelimit.Faults) {
	if slices.Equal(f.faults, faults) {
		return
	}
	f.faults = faults
	for _, one := range faults {
		f.Log.Error("rules not taken, the ones before go on: "+one.Error(), "domain", f.Domain, "path", f.Path)
	}
}

// use puts rules in force, each limiter's its own: they have its statistics.
func (f *File) use(text []byte) ratelimit.Faults {
	for _, limiter := range f.Limiters {
		rules, faults := f.compile(text)
		if faults != nil {
			return faults
		}
		limiter.Use(rules)
	}
	return nil
}

func (f *File) compile(text []byte) (*ratelimit.Rules, ratelimit.Faults) {
	spec, err := ratelimit.ParseDomain(f.Name, text, f.Written, f.Domain)
	if err == nil {
		var rules *ratelimit.Rules
		if rules, err = ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false); err == nil {
			return rules, nil
		}
	}
	faults, _ := err.(ratelimit.Faults)
	return nil, faults
}

// Faults is what keeps the file, as it stands, from being in force.
func (f *File) Faults() ratelimit.Faults {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.faults
}

// Names is the name of the file, whether it is there or not.
func (f *File) Names() []string { return []string{f.Name} }

// Read is the file as it stands, or what holds in its place.
func (f *File) Read(name string) (Text, error) {
	if name != f.Name {
		return Text{}, errNoFile(name)
	}
	return f.read()
}

func errNoFile(name string) error {
	return fault.New(fault.NotFound, "there is no rule file %q", name)
}

func (f *File) read() (Text, error) {
	t, err := readText(f.Name, f.Path)
	if err != nil || t.There {
		return t, err
	}
	if f.Usual == nil {
		return t, fmt.Errorf("%s: %w", f.Path, os.ErrNotExist)
	}
	t.Text = f.Usual
	return t, nil
}

// Check compiles a text as if it were the file. The error is Faults.
func (f *File) Check(_ string, text []byte) (*ratelimit.Rules, error) {
	rules, faults := f.compile(text)
	if faults != nil {
		return nil, faults
	}
	return rules, nil
}

// Write puts a text in the place of the file as it was read, and in force. The error is
// ErrChanged, Faults, or of the disk.
func (f *File) Write(name string, text []byte, version string) error {
	if name != f.Name {
		return errNoFile(name)
	}
	if err := f.write(text, version); err != nil {
		return err
	}
	f.load()
	return nil
}

func (f *File) write(text []byte, version string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, faults := f.compile(text); faults != nil {
		return faults
	}
	now, err := readText(f.Name, f.Path)
	if err != nil {
		return err
	}
	return replaceIf(now, text, version)
}

// replaceIf writes where nothing speaks against it.
func replaceIf(now Text, text []byte, version string) error {
	switch {
	case now.Version != version:
		return ErrChanged
	case now.ReadOnly != "":
		return fault.New(fault.Invalid, "%s cannot be written: %s", now.Name, now.ReadOnly)
	}
	if err := replace(now.Path, text); err != nil {
		return fault.Wrap(fault.Unavailable, fmt.Errorf("%s cannot be written: %w", now.Name, err))
	}
	return nil
}

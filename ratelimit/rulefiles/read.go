package rulefiles

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"stoa/ratelimit"
)

const (
	largestFile = 10 << 20 // bytes

	// A swap of files takes far less than all attempts together.
	attempts = 6
	pause    = 20 * time.Millisecond
)

// Read reads the rules below a folder: every regular *.yaml and *.yml file, and
// symlinks to such. Names that begin with two dots are left out, those with one
// when ignoreDotFiles is set; skipped lists what else was not read. Names are
// relative to dir. A folder that is not there has no rules. The error is of the
// folder itself, everything else that cannot be read is among the faults.
func Read(dir string, ignoreDotFiles bool) (specs []ratelimit.DomainSpec, faults ratelimit.Faults, skipped []string, err error) {
	r, err := read(dir, ignoreDotFiles)
	return r.specs, r.faults, r.skipped, err
}

// reading is a listing with what the files say.
type reading struct {
	listing
	specs  []ratelimit.DomainSpec
	faults ratelimit.Faults
	read   int  // files
	unread int  // files and folders that cannot be read
	mixed  bool // files changed while they were read
}

func read(dir string, ignoreDotFiles bool) (reading, error) {
	for attempt := 1; ; attempt++ {
		r, err := readOnce(dir, ignoreDotFiles)
		if err != nil || !r.mixed || attempt == attempts {
			return r, err
		}
		time.Sleep(pause)
	}
}

func readOnce(dir string, ignoreDotFiles bool) (r reading, err error) {
	r.listing, err = list(dir, ignoreDotFiles)
	if errors.Is(err, errTooMany) {
		r.fault(dir, fmt.Errorf("more than %d files and folders in it, want a folder with rules only", mostEntries))
		return r, nil
	}
	if err != nil {
		return r, err
	}
	for _, f := range r.files {
		r.take(f)
	}
	again, err := list(dir, ignoreDotFiles)
	r.mixed = r.mixed || err != nil || !r.same(again)
	return r, nil
}

func (r *reading) take(f file) {
	text, err := []byte(nil), f.err
	if err == nil {
		text, err = readFile(filepath.Join(r.real, filepath.FromSlash(f.name)))
	}
	if err != nil {
		r.mixed = r.mixed || errors.Is(err, fs.ErrNotExist)
		r.fault(f.name, err)
		return
	}
	r.read++
	r.parse(f.name, text)
}

func (r *reading) parse(name string, text []byte) {
	spec, err := ratelimit.ParseYAML(name, text)
	if faults, ok := errors.AsType[ratelimit.Faults](err); ok {
		r.faults = append(r.faults, faults...)
		if spec.Domain == "" {
			return // half read: that the domain is missing may not be true
		}
	}
	r.specs = append(r.specs, spec)
}

func (r *reading) fault(name string, err error) {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path.Err
	}
	r.unread++
	r.faults = append(r.faults, unreadable(name, err))
}

func unreadable(name string, err error) ratelimit.Fault {
	at := ratelimit.Position{File: filepath.ToSlash(name), Line: 1, Column: 1}
	return ratelimit.Fault{At: at, Message: "error loading config file: " + err.Error()}
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err == nil && len(text) > largestFile {
		err = fmt.Errorf("larger than %d bytes", largestFile)
	}
	return text, err
}

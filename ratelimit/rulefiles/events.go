package rulefiles

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// quiet is how long nothing must happen for a change to be complete.
	quiet = 100 * time.Millisecond
	// longest bounds the wait for quiet, so that a reload comes within two
	// seconds of its change, whatever goes on.
	longest = time.Second

	// rounds bounds the search for what to watch.
	rounds = 20
)

// events is the watches of one reading.
type events struct {
	places
	*fsnotify.Watcher
}

// newEvents watches all places. It looks for them again until there are no new
// ones: what came after the first look and before its watch told nobody.
func newEvents(find func() places, notify func() (*fsnotify.Watcher, error)) (*events, error) {
	watcher, err := notify()
	if err != nil {
		return nil, err
	}
	e := &events{Watcher: watcher}
	added := make(map[string]bool)
	for range rounds {
		e.places = find()
		more, err := e.add(added)
		if err == nil && !more {
			return e, nil
		}
		if err != nil {
			e.close()
			return nil, err
		}
	}
	e.close()
	return nil, errors.New("folders come and go faster than they can be watched")
}

// add watches the folders that are not in added, and reports whether there were
// any. A folder that may be used but not watched is watched from its parent.
func (e *events) add(added map[string]bool) (more bool, err error) {
	for _, folder := range e.folders {
		if added[folder] {
			continue
		}
		more = true
		switch err := e.Add(folder); {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // just gone: look again
			continue
		case errors.Is(err, fs.ErrPermission):
			_ = e.Add(filepath.Dir(folder))
		case err != nil:
			return false, err
		}
		added[folder] = true
	}
	return more, nil
}

// wait returns after a change, when it seems complete.
func (e *events) wait(ctx context.Context) {
	var complete, late <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-complete:
			return
		case <-late:
			return
		case event := <-e.Events:
			if !e.counts(event.Name) {
				continue
			}
		case <-e.Errors: // events were lost
		}
		complete = time.After(quiet)
		if late == nil {
			late = time.After(longest)
		}
	}
}

func (e *events) close() { _ = e.Watcher.Close() }

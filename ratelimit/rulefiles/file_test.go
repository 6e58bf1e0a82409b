package rulefiles_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/fault"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

// roomRules is rules of a domain with one limit.
func roomRules(domain, limit string) string {
	return "domain: " + domain + "\ndescriptors:\n- {key: k, rate_limit: {unit: hour, requests_per_unit: " + limit + "}}\n"
}

// watched is a file of rules with usual ones, and what the log says of it.
type watched struct {
	*rulefiles.File
	t       *testing.T
	limiter *ratelimit.Limiter
	log     *lines
}

func openFile(t *testing.T, path string, usual []byte) (*watched, error) {
	w := &watched{t: t, limiter: ratelimit.New(ratelimit.Options{Stats: stats.NewRegistry()}), log: &lines{}}
	var err error
	w.File, err = rulefiles.OpenFile(rulefiles.FileOptions{
		Name: "room.yaml", Path: path, Usual: usual, Written: "room", Domain: "room_staging",
		Limiters: []*ratelimit.Limiter{w.limiter}, Log: slog.New(slog.NewTextHandler(w.log, nil)),
	})
	return w, err
}

// run watches the file until the test ends.
func (w *watched) run() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			w.t.Errorf("Run: got %v, want nil", err)
		}
	})
}

func (w *watched) limit() string {
	for rule := range w.limiter.Rules().All() {
		return rule.Path + " " + rule.Limit.String()
	}
	return ""
}

func (w *watched) wants(limit string) {
	w.t.Helper()
	within(w.t, "limit "+limit, func() bool { return w.limit() == "room_staging.k "+limit+" per hour" })
}

func TestFileIsEditedWhileItIsWatched(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rules", "room.yaml") // the folder is not there either
	w, err := openFile(t, path, []byte(roomRules("room", "5")))
	must(t, err)
	w.wants("5")
	w.run()
	put(t, path, roomRules("room", "6"))
	w.wants("6")
	put(t, path, "domain: room\ndescriptors:\n- {key: k, rate_limit: {unit: fortnight}}\n")
	within(t, "the fault is told", func() bool { return w.log.count("room.yaml:3:24: invalid rate limit unit 'fortnight'") == 1 })
	w.wants("6")
	put(t, path+".new", roomRules("room", "7"))
	must(t, os.Rename(path+".new", path))
	w.wants("7")
	if w.Faults() != nil {
		t.Errorf("got %v, want no faults", w.Faults())
	}
	put(t, path, roomRules("shop", "8"))
	within(t, "the domain is told", func() bool { return w.log.count("room.yaml:1:1: want domain: room, got shop") == 1 })
	must(t, os.Remove(path))
	w.wants("5")
}

func TestFileWithFaultsAtTheStart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "room.yaml")
	if _, err := openFile(t, path, nil); err == nil {
		t.Error("got no error for a file that has to be there")
	}
	put(t, path, "domain: [")
	if _, err := openFile(t, path, nil); err == nil || !strings.HasPrefix(err.Error(), "room.yaml:1:1:") {
		t.Errorf("got %v, want the fault with its place", err)
	}
	w, err := openFile(t, path, []byte(roomRules("room", "5")))
	must(t, err)
	w.wants("5")
	if w.log.count("room.yaml:1:1:") != 1 || len(w.Faults()) != 1 {
		t.Error("the fault is not told")
	}
}

func TestFileIsWrittenAsItWasRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rules", "room.yaml")
	w, err := openFile(t, path, []byte(roomRules("room", "5")))
	must(t, err)
	was, err := w.Read("room.yaml")
	must(t, err)
	if was.There || was.ReadOnly != "" || string(was.Text) != roomRules("room", "5") {
		t.Errorf("got %+v, want the usual rules, to be written", was)
	}
	must(t, w.Write("room.yaml", []byte(roomRules("room", "6")), was.Version))
	w.wants("6") // without a watch
	if err := w.Write("room.yaml", []byte(roomRules("room", "7")), was.Version); !errors.Is(err, rulefiles.ErrChanged) {
		t.Errorf("got %v, want that it has changed", err)
	}
	now, err := w.Read("room.yaml")
	must(t, err)
	faults, _ := errors.AsType[ratelimit.Faults](w.Write("room.yaml", []byte("domain: room\ncolour: red\n"), now.Version))
	if len(faults) != 1 || faults[0].At.Line != 2 {
		t.Errorf("got %v, want the fault in line 2", faults)
	}
	if again, _ := w.Read("room.yaml"); again.Version != now.Version {
		t.Error("a text with faults was written")
	}
	if _, err := w.Read("other.yaml"); !errors.Is(err, fault.NotFound) {
		t.Errorf("got %v, want not found", err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if must(t, err); len(entries) != 1 {
		t.Errorf("got %v, want the file alone", entries)
	}
}

func TestLinkedFileIsNotReplaced(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/elsewhere/a.yaml", roomRules("room", "5"))
	link(t, dir+"/elsewhere/a.yaml", dir+"/room.yaml")
	w, err := openFile(t, dir+"/room.yaml", nil)
	must(t, err)
	was, err := w.Read("room.yaml")
	must(t, err)
	if err := w.Write("room.yaml", []byte(roomRules("room", "6")), was.Version); was.ReadOnly == "" || !errors.Is(err, fault.Invalid) {
		t.Errorf("got %v and %q, want that a link is left alone", err, was.ReadOnly)
	}
}

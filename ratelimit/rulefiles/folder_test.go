package rulefiles_test

import (
	"errors"
	"log/slog"
	"os"
	"slices"
	"testing"

	"stoa/internal/fault"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

func newFolder(root string) (*rulefiles.Folder, *ratelimit.Limiter) {
	limiter := ratelimit.New(ratelimit.Options{Stats: stats.NewRegistry()})
	loader := ratelimit.NewLoader(limiter, false, slog.New(slog.DiscardHandler), func(int) {})
	return &rulefiles.Folder{Config: at(root), Loader: loader}, limiter
}

func TestFilesOfAFolderAreCheckedTogether(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/config/a.yaml", rules("a"))
	put(t, root+"/config/deep/b.yaml", rules("b"))
	f, _ := newFolder(root)
	if names := f.Names(); !slices.Equal(names, []string{"a.yaml", "deep/b.yaml"}) {
		t.Errorf("got %q", names)
	}
	got, err := f.Check("a.yaml", []byte(rules("c")))
	if must(t, err); !slices.Equal(got.Domains(), []string{"b", "c"}) {
		t.Errorf("got %q, want the text in the place of its file", got.Domains())
	}
	if _, err := f.Check("new.yaml", []byte(rules("a"))); err == nil {
		t.Error("got no fault for a domain that another file has")
	}
}

func TestFileOfAFolderIsWritten(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	f, limiter := newFolder(root)
	empty, err := f.Read("new/shop.yaml") // neither it nor its folders are there
	must(t, err)
	must(t, f.Write("new/shop.yaml", []byte(rules("shop")), empty.Version))
	if limiter.Rules() == nil || !limiter.Rules().Knows("shop") {
		t.Error("what was written is not in force")
	}
	if err := f.Write("new/shop.yaml", []byte(rules("garage")), empty.Version); !errors.Is(err, rulefiles.ErrChanged) {
		t.Errorf("got %v, want that it has changed", err)
	}
	if limiter.Rules().Knows("garage") || f.Faults() != nil {
		t.Error("what was refused is in force")
	}
}

func TestFolderThatCannotBeRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/config", "no folder")
	f, _ := newFolder(root)
	if names := f.Names(); len(names) != 0 {
		t.Errorf("got %q, want none", names)
	}
	if _, err := f.Read("a.yaml"); !errors.Is(err, fault.Unavailable) {
		t.Errorf("got %v, want that it cannot be read", err)
	}
	if faults, _ := errors.AsType[ratelimit.Faults](f.Write("a.yaml", []byte(rules("a")), "absent")); len(faults) != 1 {
		t.Errorf("got %v, want the fault of the folder", faults)
	}
}

func TestNamesStayInTheFolder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	must(t, os.MkdirAll(root+"/config", 0o755))
	put(t, root+"/secret.yaml", rules("secret"))
	link(t, root, root+"/config/out")
	f, _ := newFolder(root)
	for _, name := range []string{
		"", "../secret.yaml", "/etc/x.yaml", "a/../../secret.yaml", "out/secret.yaml", ".hidden.yaml", "..data/a.yaml", "notes.txt", "a\\b.yaml", "a\x00.yaml",
	} {
		if _, err := f.Read(name); !errors.Is(err, fault.Invalid) {
			t.Errorf("read %q: got %v, want a refusal", name, err)
		}
		if err := f.Write(name, []byte(rules("x")), "absent"); !errors.Is(err, fault.Invalid) {
			t.Errorf("write %q: got %v, want a refusal", name, err)
		}
	}
}

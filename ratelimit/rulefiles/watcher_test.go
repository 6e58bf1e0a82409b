package rulefiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/ratelimit/rulefiles"
)

// Each change turns the domain "old" into "new". Root is root/current, rules are
// in its config folder; beside is a folder outside.
func TestChangeReloads(t *testing.T) {
	old, new := rules("old"), rules("new")
	plain := func(t *testing.T, root, _ string) { put(t, root+"/config/a.yaml", old) }
	for name, test := range map[string]struct {
		before, change func(t *testing.T, root, beside string)
	}{
		"write": {plain, func(t *testing.T, root, _ string) { put(t, root+"/config/a.yaml", new) }},
		"rename over": {plain, func(t *testing.T, root, _ string) {
			put(t, root+"/config/.a.tmp", new)
			must(t, os.Rename(root+"/config/.a.tmp", root+"/config/a.yaml"))
		}},
		"remove and create": {plain, func(t *testing.T, root, _ string) {
			put(t, root+"/config/b.yml", new)
			must(t, os.Remove(root+"/config/a.yaml"))
		}},
		"rename away": {
			func(t *testing.T, root, _ string) {
				put(t, root+"/config/a.yaml", old)
				put(t, root+"/config/b.yaml", new)
			},
			func(t *testing.T, root, beside string) {
				must(t, os.Rename(root+"/config/a.yaml", beside+"/a.yaml"))
			},
		},
		"write below": {
			func(t *testing.T, root, _ string) { put(t, root+"/config/x/y/a.yaml", old) },
			func(t *testing.T, root, _ string) { put(t, root+"/config/x/y/a.yaml", new) },
		},
		"new folders": {plain, func(t *testing.T, root, _ string) {
			put(t, root+"/config/x/y/z/b.yaml", new)
			must(t, os.Remove(root+"/config/a.yaml"))
		}},
		"folder moved in": {plain, func(t *testing.T, root, beside string) {
			put(t, beside+"/x/b.yaml", new)
			must(t, os.Rename(beside+"/x", root+"/config/x"))
			must(t, os.Remove(root+"/config/a.yaml"))
		}},
		"config folder replaced": {plain, func(t *testing.T, root, beside string) {
			put(t, beside+"/next/a.yaml", new)
			must(t, os.Rename(root+"/config", beside+"/old"))
			must(t, os.Rename(beside+"/next", root+"/config"))
		}},
		"root replaced": {plain, func(t *testing.T, root, beside string) {
			put(t, beside+"/next/config/a.yaml", new)
			must(t, os.Rename(root, beside+"/old"))
			must(t, os.Rename(beside+"/next", root))
		}},
		"root deleted and created": {plain, func(t *testing.T, root, _ string) {
			must(t, os.RemoveAll(root))
			put(t, root+"/config/a.yaml", new)
		}},
		"root symlink swapped by rename": {
			func(t *testing.T, root, beside string) {
				put(t, beside+"/v1/config/a.yaml", old)
				link(t, beside+"/v1", root)
			},
			func(t *testing.T, root, beside string) {
				put(t, beside+"/v2/config/a.yaml", new)
				link(t, beside+"/v2", root+".tmp")
				must(t, os.Rename(root+".tmp", root))
			},
		},
		"root symlink deleted and created": {
			func(t *testing.T, root, beside string) {
				put(t, beside+"/v1/config/a.yaml", old)
				link(t, beside+"/v1", root)
			},
			func(t *testing.T, root, beside string) {
				put(t, beside+"/v2/config/a.yaml", new)
				must(t, os.Remove(root))
				link(t, beside+"/v2", root)
			},
		},
		"chain of symlinks": {
			func(t *testing.T, root, beside string) {
				put(t, beside+"/v1/config/a.yaml", old)
				put(t, beside+"/v2/config/a.yaml", new)
				link(t, "v1", beside+"/release")
				link(t, "./beside/../beside/release", root)
			},
			func(t *testing.T, root, beside string) {
				link(t, "v2", beside+"/tmp")
				must(t, os.Rename(beside+"/tmp", beside+"/release"))
			},
		},
		"write behind a symlink": {
			func(t *testing.T, root, beside string) {
				put(t, beside+"/a.yaml", old)
				link(t, beside+"/a.yaml", root+"/config/a.yaml")
			},
			func(t *testing.T, root, beside string) { put(t, beside+"/a.yaml", new) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			root, beside := dir+"/current", dir+"/beside"
			must(t, os.Mkdir(beside, 0o755))
			test.before(t, root, beside)
			s := serve(t, at(root))
			start := time.Now()
			test.change(t, root, beside)
			within(t, "new rules", func() bool { return strings.Join(s.domains(), " ") == "new" })
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("got new rules after %v, want at most 2s", took)
			}
		})
	}
}

// The layout of a ConfigMap volume, changed as the kubelet does it, twice.
func TestConfigMapSwap(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	config := root + "/config"
	version := func(name, domain string) {
		put(t, config+"/"+name+"/a.yaml", rules(domain))
		link(t, name, config+"/..data_tmp")
		must(t, os.Rename(config+"/..data_tmp", config+"/..data"))
	}
	version("..2026_01", "one")
	link(t, "..data/a.yaml", config+"/a.yaml")
	cfg := at(root)
	cfg.IgnoreDotFiles, cfg.WatchRoot = true, false
	s := serve(t, cfg)
	s.wants("one")

	version("..2026_02", "two")
	must(t, os.RemoveAll(config+"/..2026_01"))
	s.wants("two")

	version("..2026_03", "three")
	must(t, os.RemoveAll(config+"/..2026_02"))
	s.wants("three")
	if s.bad() != 0 {
		t.Errorf("got %d rejected sets, want none", s.bad())
	}
}

func TestFolderAppearsLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg := at(dir + "/not/yet/here")
	cfg.Subdirectory = "apps/ratelimit"
	s := serve(t, cfg)
	if s.good() != 1 || s.log.count("No rule directory") != 1 {
		t.Fatalf("got %d good sets and %d warnings, want the empty set and a warning", s.good(), s.log.count("No rule directory"))
	}
	must(t, os.Mkdir(dir+"/not", 0o755))
	put(t, dir+"/not/yet/here/apps/ratelimit/config/a.yaml", rules("late"))
	s.wants("late")
	put(t, dir+"/not/yet/here/apps/ratelimit/config/a.yaml", rules("later"))
	s.wants("later")
}

// A folder that is gone is an empty set, and is found when it is back.
func TestFolderGoesAndComes(t *testing.T) {
	t.Parallel()
	root := t.TempDir() + "/root"
	put(t, root+"/config/a.yaml", rules("one"))
	s := serve(t, at(root))
	s.wants("one")
	must(t, os.RemoveAll(root))
	s.wants()
	put(t, root+"/config/a.yaml", rules("two"))
	s.wants("two")
}

func TestTouchAndChmodReload(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := filepath.Join(root, "config", "a.yaml")
	put(t, path, rules("one"))
	s := serve(t, at(root))
	must(t, os.Chmod(path, 0o600))
	within(t, "reload after chmod", func() bool { return s.good() == 2 })
	now := time.Now()
	must(t, os.Chtimes(path, now, now))
	within(t, "reload after touch", func() bool { return s.good() == 3 })
}

func TestBadFileKeepsRules(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/config/a.yaml", rules("one"))
	s := serve(t, at(root))
	put(t, root+"/config/sub/b.yaml", "domain: two\nnonsense: 1\n")
	within(t, "rejected set", func() bool { return s.bad() == 1 })
	s.wants("one")
	if got := s.log.count("sub/b.yaml:2:1: config error, unknown key 'nonsense'"); got != 1 {
		t.Errorf("got %d log lines with the fault, want 1", got)
	}
	put(t, root+"/config/sub/b.yaml", rules("two"))
	s.wants("one", "two")
}

func TestBurstIsFewLoads(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/config/a.yaml", rules("start"))
	s := serve(t, at(root))
	for range 100 {
		put(t, root+"/config/a.yaml", rules("burst"))
		time.Sleep(time.Millisecond)
	}
	put(t, root+"/config/a.yaml", rules("end"))
	s.wants("end")
	if loads := s.good() + s.bad(); loads > 5 {
		t.Errorf("got %d loads for a burst, want a few", loads)
	}
}

// Files that are written without pause do not put a reload off for ever.
func TestReloadDuringConstantWrites(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/config/a.yaml", rules("start"))
	s := serve(t, at(root))
	put(t, root+"/config/a.yaml", rules("end"))
	within(t, "reload", func() bool {
		put(t, root+"/config/noise", "x")
		return strings.Join(s.domains(), "") == "end"
	})
}

// What happens beside the rules is none of our business.
func TestUnrelatedChangesDoNotReload(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/v1/config/a.yaml", rules("one"))
	link(t, "v1", dir+"/current")
	s := serve(t, at(dir+"/current"))
	put(t, dir+"/data.db", "x")
	put(t, dir+"/v1/other/a.yaml", rules("other"))
	time.Sleep(300 * time.Millisecond) // three times what a reload takes
	put(t, dir+"/v1/config/a.yaml", rules("two"))
	s.wants("two")
	if s.good() != 2 {
		t.Errorf("got %d loads, want the first and that of the change", s.good())
	}
}

func TestStatisticsAndWarnings(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	put(t, root+"/a.yaml", rules("one"))
	put(t, root+"/b.yml", rules("two"))
	put(t, root+"/README", "hello")
	link(t, root, root+"/loop")
	s := serve(t, rulefiles.Config{Root: root, WatchRoot: true}) // no subdirectory, no app directory
	s.wants("one", "two")
	link(t, "nowhere", root+"/c.yaml")
	within(t, "rejected set", func() bool { return s.bad() == 1 })
	must(t, os.Remove(root+"/c.yaml"))
	within(t, "good set", func() bool { return s.good() == 2 })

	attempts, failures := s.stats.Counter("runtime.load_attempts"), s.stats.Counter("runtime.load_failures")
	values := s.stats.Gauge("runtime.num_values")
	if attempts.Total() != 3 || failures.Total() != 1 || values.Value() != 2 {
		t.Errorf("got %d attempts, %d failures, %d values, want 3, 1, 2", attempts.Total(), failures.Total(), values.Value())
	}
	for _, name := range []string{"file=README", "file=loop"} {
		if got := s.log.count(name); got != 1 {
			t.Errorf("got %d warnings with %s, want 1", got, name)
		}
	}
}

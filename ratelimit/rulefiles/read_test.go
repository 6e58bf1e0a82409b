package rulefiles_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"stoa/ratelimit/rulefiles"
)

// read returns the domains of the specs with the names of their files.
func read(t *testing.T, dir string, ignoreDotFiles bool) (domains, faults, skipped string) {
	t.Helper()
	specs, fs, skip, err := rulefiles.Read(dir, ignoreDotFiles)
	must(t, err)
	for _, s := range specs {
		domains += s.At.File + "=" + s.Domain + " "
	}
	return strings.TrimSpace(domains), fs.Error(), strings.Join(skip, " ")
}

func TestReadChoosesFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/b/x.yaml", rules("bx"))
	put(t, dir+"/b.yaml", rules("b"))
	put(t, dir+"/a.yml", rules("a"))
	put(t, dir+"/README.md", "")
	put(t, dir+"/UP.YAML", "")
	put(t, dir+"/.hidden.yaml", rules("hidden"))
	put(t, dir+"/.git/c.yaml", rules("git"))
	put(t, dir+"/..old/d.yaml", rules("never"))
	put(t, dir+"/..e.yaml", rules("never"))
	link(t, "b.yaml", dir+"/..f.yaml")
	must(t, syscall.Mkfifo(dir+"/pipe.yaml", 0o644))
	link(t, dir, dir+"/b/up")
	link(t, dir, dir+"/b/up.yaml")

	domains, faults, skipped := read(t, dir, false)
	if want := ".git/c.yaml=git .hidden.yaml=hidden a.yml=a b.yaml=b b/x.yaml=bx"; domains != want {
		t.Errorf("got %q, want %q", domains, want)
	}
	if want := "README.md UP.YAML b/up b/up.yaml pipe.yaml"; skipped != want || faults != "" {
		t.Errorf("got skipped %q and faults %q, want %q and none", skipped, faults, want)
	}
	if domains, _, _ := read(t, dir, true); domains != "a.yml=a b.yaml=b b/x.yaml=bx" {
		t.Errorf("got %q without dot files", domains)
	}
}

func TestReadThroughSymlinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/real/a.yaml", rules("a"))
	link(t, "real", dir+"/rules")
	link(t, "../elsewhere.yaml", dir+"/real/b.yaml")
	put(t, dir+"/elsewhere.yaml", rules("b"))
	if domains, faults, _ := read(t, dir+"/rules", false); domains != "a.yaml=a b.yaml=b" || faults != "" {
		t.Errorf("got %q, faults %q", domains, faults)
	}
}

func TestReadFaults(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link(t, "loop.yaml", dir+"/loop.yaml")
	link(t, "nothing", dir+"/dangling.yaml")
	put(t, dir+"/bad.yaml", "domain: x\noops: 1\n")
	put(t, dir+"/half.yaml", "domain: half\ndescriptors:\n- key: k\n  rate_limit: {unit: eon, requests_per_unit: -1}\n")
	domains, faults, _ := read(t, dir, false)
	want := `bad.yaml:2:1: config error, unknown key 'oops'
dangling.yaml:1:1: error loading config file: no such file or directory
half.yaml:4:46: error loading config file: want a whole number from 0 to 4294967295, got "-1"
loop.yaml:1:1: error loading config file: too many levels of symbolic links`
	if faults != want {
		t.Errorf("got\n%s\nwant\n%s", faults, want)
	}
	if domains != "bad.yaml=x half.yaml=half" {
		t.Errorf("got specs %q, want what could be read", domains)
	}
}

func TestReadTooLargeFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/a.yaml", rules("a")+strings.Repeat("#", 10<<20))
	want := "a.yaml:1:1: error loading config file: larger than 10485760 bytes"
	if domains, faults, _ := read(t, dir, false); faults != want || domains != "" {
		t.Errorf("got %q, faults %q, want %q", domains, faults, want)
	}
}

func TestReadUnreadable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, _, _, err := rulefiles.Read(dir+"/missing", false); err != nil {
		t.Errorf("missing folder: got %v, want no error", err)
	}
	put(t, dir+"/file", "")
	if _, _, _, err := rulefiles.Read(dir+"/file", false); err == nil {
		t.Error("a file in place of the folder: got no error")
	}
	if _, _, _, err := rulefiles.Read(dir+"/file/config", false); err == nil {
		t.Error("a file on the way to the folder: got no error")
	}
	put(t, dir+"/r/a.yaml", rules("a"))
	put(t, dir+"/r/sub/b.yaml", rules("b"))
	must(t, os.Chmod(dir+"/r/a.yaml", 0))
	must(t, os.Chmod(dir+"/r/sub", 0))
	t.Cleanup(func() { must(t, os.Chmod(dir+"/r/sub", 0o755)) })
	must(t, os.Chmod(filepath.Dir(dir), 0o755)) // nobody must get this far
	var faults string
	asNobody(func() { _, faults, _ = read(t, dir+"/r", false) })
	want := "a.yaml:1:1: error loading config file: permission denied\nsub:1:1: error loading config file: permission denied"
	if faults != want {
		t.Errorf("got\n%s\nwant\n%s", faults, want)
	}
}

// asNobody runs f with the file permissions of nobody, whoever runs the test: on a
// thread of its own, which ends with it.
func asNobody(f func()) {
	const nobody = 65534
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		f()
	}()
	<-done
}

func TestReadTooManyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 10_001 {
		must(t, os.WriteFile(fmt.Sprintf("%s/%d", dir, i), nil, 0o644))
	}
	if _, faults, _ := read(t, dir, false); !strings.Contains(faults, "more than 10000 files and folders") {
		t.Errorf("got faults %q", faults)
	}
}

// Two files always have the same domain, and swap together: a set with two
// domains would be of two versions.
func TestReadIsOfOneVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, v := range []string{"v1", "v2"} {
		put(t, dir+"/"+v+"/a.yaml", rules(v))
		put(t, dir+"/"+v+"/b.yaml", rules(v))
	}
	link(t, "v1", dir+"/rules")
	stop := make(chan struct{})
	var swapping sync.WaitGroup
	swapping.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			tmp := dir + "/tmp"
			_ = os.Symlink([]string{"v2", "v1"}[i%2], tmp)
			_ = os.Rename(tmp, dir+"/rules")
		}
	})
	for range 200 {
		domains, faults, _ := read(t, dir+"/rules", false)
		if domains != "a.yaml=v1 b.yaml=v1" && domains != "a.yaml=v2 b.yaml=v2" {
			t.Errorf("got %q, faults %q", domains, faults)
		}
	}
	close(stop)
	swapping.Wait()
}

// A file that is replaced by delete and create is not missed.
func TestReadDuringReplacement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir+"/a.yaml", rules("a"))
	put(t, dir+"/b.yaml", rules("b"))
	var replacing sync.WaitGroup
	replacing.Go(func() {
		for range 30 {
			put(t, dir+"/.b", rules("b"))
			_ = os.Rename(dir+"/.b", dir+"/b.yaml")
		}
	})
	for range 30 {
		if domains, faults, _ := read(t, dir, true); domains != "a.yaml=a b.yaml=b" || faults != "" {
			t.Errorf("got %q, faults %q", domains, faults)
		}
	}
	replacing.Wait()
}

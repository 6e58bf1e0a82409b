package render_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"stoa/inventory"
	"stoa/inventory/render"
)

// rendered is a document's files in a folder of their own.
func rendered(t *testing.T, document string) (*inventory.Inventory, string, []render.File) {
	t.Helper()
	inv, dir := read(t, documents[document]), t.TempDir()
	files, _, err := render.Render(inv, render.Options{})
	if err == nil {
		err = render.Write(dir, files, "", false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return inv, dir, files
}

// ask runs a program and returns what it says; it fails the test with that when
// the program is not content.
func ask(t *testing.T, program string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		path, err = exec.LookPath("/usr/sbin/" + program)
	}
	if err != nil {
		t.Fatalf("%s is missing: run make deps", program)
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// eachFile calls check with every rendered file whose path ends so, and wants to
// see at least one.
func eachFile(t *testing.T, ending string, check func(t *testing.T, dir string, f render.File)) {
	t.Helper()
	found := 0
	for document := range documents {
		_, dir, files := rendered(t, document)
		for _, f := range files {
			if strings.HasSuffix(f.Path, ending) {
				found++
				t.Run(document+"/"+f.Name(), func(t *testing.T) { check(t, dir, f) })
			}
		}
	}
	if found == 0 {
		t.Errorf("no file ends in %s", ending)
	}
}

func TestHAProxyTakesIts(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{"/haproxy.cfg", "/haproxy_mntc.cfg"} {
		eachFile(t, ending, func(t *testing.T, dir string, f render.File) {
			if out := ask(t, "haproxy", "-c", "-f", filepath.Join(dir, f.Name())); strings.Contains(out, "WARNING") {
				t.Error(out)
			}
		})
	}
}

// Keepalived looks at the machine: the interface has to be one of its own, and the
// check script has to lie where the configuration says.
func TestKeepalivedTakesIts(t *testing.T) {
	t.Parallel()
	card := networkCard(t)
	eachFile(t, "/keepalived.conf", func(t *testing.T, dir string, f render.File) {
		const script = "/usr/local/bin/check_haproxy.sh"
		text := string(f.Content)
		for _, name := range []string{"auto", "eth0", "eth1"} {
			text = strings.ReplaceAll(text, "interface "+name+"\n", "interface "+card+"\n")
		}
		text = strings.ReplaceAll(text, `"`+script+`"`, `"`+filepath.Join(dir, f.Node, script)+`"`)
		file := filepath.Join(t.TempDir(), "keepalived.conf")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out := ask(t, "keepalived", "-t", "-f", file); strings.TrimSpace(out) != "" {
			t.Error(out)
		}
	})
}

func networkCard(t *testing.T) string {
	t.Helper()
	cards, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cards {
		if c.Flags&net.FlagLoopback == 0 && c.Flags&net.FlagMulticast != 0 && c.Flags&net.FlagUp != 0 {
			return c.Name
		}
	}
	t.Fatal("keepalived can only be asked on a machine with a network interface that is up")
	return ""
}

func TestContainerdTakesIts(t *testing.T) {
	t.Parallel()
	eachFile(t, "/config.toml", func(t *testing.T, dir string, f render.File) {
		out := ask(t, "containerd", "--config", filepath.Join(dir, f.Name()), "config", "dump")
		for _, want := range []string{"/pause:3.10.1", "SystemdCgroup = true", `runtime_type = "io.containerd.runc.v2"`} {
			if !strings.Contains(out, want) {
				t.Errorf("containerd did not read %q:\n%s", want, out)
			}
		}
	})
}

func TestChronyTakesIts(t *testing.T) {
	t.Parallel()
	eachFile(t, "/chrony.conf", func(t *testing.T, dir string, f render.File) {
		if out := ask(t, "chronyd", "-p", "-f", filepath.Join(dir, f.Name())); out != string(f.Content) {
			t.Errorf("chronyd reads something else:\n%s", out)
		}
	})
}

// A parameter may be unknown to the kernel of this machine; a line must not be
// unknown to sysctl.
func TestSysctlTakesIts(t *testing.T) {
	t.Parallel()
	eachFile(t, "/98-stoa-sysctl.conf", func(t *testing.T, dir string, f render.File) {
		out, _ := exec.CommandContext(t.Context(), "sysctl", "--dry-run", "-p", filepath.Join(dir, f.Name())).CombinedOutput()
		lines := bytes.Count(f.Content, []byte("\n"))
		if strings.Contains(string(out), "invalid") || bytes.Count(out, []byte("\n")) != lines {
			t.Errorf("got:\n%s\nfor %d lines", out, lines)
		}
	})
}

// systemd-analyze finds the file where timesyncd looks for it.
func TestTimesyncdFindsIts(t *testing.T) {
	t.Parallel()
	eachFile(t, "/timesyncd.conf", func(t *testing.T, dir string, f render.File) {
		out := ask(t, "systemd-analyze", "cat-config", "--root="+filepath.Join(dir, f.Node), "systemd/timesyncd.conf")
		if !strings.HasSuffix(out, string(f.Content)) {
			t.Error(out)
		}
	})
}

func TestShellTakesTheCheckScript(t *testing.T) {
	t.Parallel()
	eachFile(t, ".sh", func(t *testing.T, dir string, f render.File) {
		ask(t, "sh", "-n", filepath.Join(dir, f.Name()))
	})
}

package dbtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// started is the server of this test binary.
var started = sync.OnceValues(func() (url string, err error) {
	for range 3 { // somebody else may take the free port before the server does
		if url, err = start(); err == nil {
			return url, nil
		}
	}
	return "", err
})

func start() (string, error) {
	bin, err := binaries()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "stoa-postgres-")
	if err != nil {
		return "", err
	}
	as, err := credential(dir)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"),
		"-U", "stoa", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	initdb.Dir = dir
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("initdb: %w: %s", err, out), os.RemoveAll(dir))
	}
	port, err := freePort()
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	if err := keep(bin, dir, port, as); err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return fmt.Sprintf("postgres://stoa@127.0.0.1:%d/postgres?sslmode=disable", port), ready(filepath.Join(dir, "log"))
}

// keeper runs the server and outlives the test binary by a moment: when its
// standard input ends, which no way of dying can prevent, it ends the server
// and removes the folder.
const keeper = `
dir=$1; shift
"$@" >"$dir/log" 2>&1 </dev/null &
cat >/dev/null
kill -QUIT $!
wait $!
rm -rf "$dir"
`

// toKeeper stays open as long as the test binary lives.
var toKeeper io.Closer

func keep(bin, dir string, port int, as *syscall.Credential) (err error) {
	cmd := exec.Command("sh", "-c", keeper, "keeper", dir,
		filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"), "-p", strconv.Itoa(port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=",
		"-c", "max_connections=200", "-c", "max_wal_size=4GB", "-c", "checkpoint_timeout=1h")
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as, Setpgid: true} // an interrupt of the terminal is not for it
	if toKeeper, err = cmd.StdinPipe(); err != nil {
		return err
	}
	return cmd.Start()
}

// ready waits for what the server says of itself.
func ready(log string) error {
	for deadline := time.Now().Add(startTime); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		said, err := os.ReadFile(log)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case bytes.Contains(said, []byte("database system is ready to accept connections")):
			return nil
		case bytes.Contains(said, []byte("FATAL:")):
			return errors.Join(fmt.Errorf("postgres did not start: %s", said), toKeeper.Close())
		}
	}
	return errors.Join(errors.New("postgres does not get ready"), toKeeper.Close())
}

// binaries is the folder of PostgreSQL's programs; Debian keeps them off the PATH.
func binaries() (string, error) {
	if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres"); len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	if found, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(found), nil
	}
	return "", errors.New("postgres is not installed: run make deps, or name a server in STOA_TEST_POSTGRES")
}

// credential is nil, unless this is root, whom postgres refuses. The folder is
// given to whom it names.
func credential(dir string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		if who, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, err := strconv.ParseUint(who.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(who.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, os.Chown(dir, int(uid), int(gid))
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

package ffmpeg_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// guarded is a runner on a kernel that can guard files.
func guarded(t *testing.T) *ffmpeg.Runner {
	t.Helper()
	r := ffmpegtest.Runner(t)
	c, err := r.Confinement(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if c.Landlock == 0 {
		t.Skipf("this kernel cannot guard files: %v", c)
	}
	return r
}

func TestConfinementIsComplete(t *testing.T) {
	t.Parallel()
	c, err := guarded(t).Confinement(t.Context())
	if err != nil || !c.Complete() || !c.Calls {
		t.Errorf("got %v, %v, want all that this kernel has", c, err)
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]ffmpeg.Confinement{
		"files by landlock 7, no sockets by seccomp, a network namespace of its own":           {Landlock: 7, Calls: true, Namespace: true},
		"no sockets by seccomp; without landlock (files are not guarded), a network namespace": {Calls: true},
		"without landlock (files are not guarded), seccomp, a network namespace":               {},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The plainest theft: no trick in a file, but a program that is already in other
// hands.
func TestOtherFilesCannotBeRead(t *testing.T) {
	t.Parallel()
	r := guarded(t)
	source := ffmpegtest.Source(t, ffmpegtest.Spec{})
	beside := filepath.Join(filepath.Dir(source), "beside")
	if err := os.WriteFile(beside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/etc/passwd", "/proc/self/environ", "/proc/1/environ", beside} {
		var out bytes.Buffer
		err := r.Run(t.Context(), ffmpeg.Command{
			Program: "ffmpeg", Args: []string{"-f", "data", "-i", path, "-map", "0", "-c", "copy", "-f", "data", "pipe:1"},
			Input: ffmpegtest.Input(t, source), Folder: t.TempDir(), Stdout: &out,
		})
		if err == nil || !strings.Contains(err.Error(), "Permission denied") || out.Len() > 0 {
			t.Errorf("%s: got %v and %d bytes, want permission denied", path, err, out.Len())
		}
	}
}

func TestOnlyTheFolderCanBeWritten(t *testing.T) {
	t.Parallel()
	r := guarded(t)
	folder, other := t.TempDir(), t.TempDir()
	write := func(path string) error {
		return r.Run(t.Context(), ffmpeg.Command{
			Program: "ffmpeg", Args: []string{"-f", "lavfi", "-i", "testsrc2=d=0.1", "-f", "rawvideo", path}, Folder: folder,
		})
	}
	if err := write(filepath.Join(folder, "out")); err != nil {
		t.Error(err)
	}
	if err := write(filepath.Join(other, "out")); err == nil || !strings.Contains(err.Error(), "Permission denied") {
		t.Errorf("got %v, want permission denied", err)
	}
}

// listener counts those who come, over TCP and UDP.
type listener struct {
	tcp  net.Listener
	udp  net.PacketConn
	came atomic.Int64
}

func listen(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	var err error
	if l.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if l.udp, err = net.ListenPacket("udp", l.tcp.Addr().String()); err != nil {
		t.Skipf("the same port is not free for UDP: %v", err)
	}
	t.Cleanup(func() { l.tcp.Close(); l.udp.Close() })
	go func() {
		for {
			c, err := l.tcp.Accept()
			if err != nil {
				return
			}
			l.came.Add(1)
			c.Close()
		}
	}()
	go func() {
		for {
			if _, _, err := l.udp.ReadFrom(make([]byte, 1)); err != nil {
				return
			}
			l.came.Add(1)
		}
	}()
	return l
}

func (l *listener) address() string { return l.tcp.Addr().String() }

func TestNoNetworkCanBeReached(t *testing.T) {
	t.Parallel()
	r, l := guarded(t), listen(t)
	for _, args := range [][]string{
		{"-i", "http://" + l.address() + "/a.mp4"},
		{"-i", "tcp://" + l.address()},
		{"-f", "lavfi", "-i", "testsrc2=d=1", "-f", "mpegts", "udp://" + l.address()},
		{"-f", "lavfi", "-i", "testsrc2=d=1", "-f", "mpegts", "unix:/run/any.sock"},
	} {
		if err := r.Run(t.Context(), ffmpeg.Command{Program: "ffmpeg", Args: args}); err == nil {
			t.Errorf("%v: got no error", args)
		}
	}
	if n := l.came.Load(); n > 0 {
		t.Errorf("got %d connections, want none", n)
	}
}

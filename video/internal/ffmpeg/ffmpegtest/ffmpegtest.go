// Package ffmpegtest makes films for tests, whose pictures say which they are.
//
// Every frame of a [Source] has its number in it as black and white blocks, so
// that a test can tell after any amount of encoding which frame it looks at:
// [FrameNumber] reads it from a picture, [FrameNumbers] from a whole film.
package ffmpegtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"stoa/video/internal/ffmpeg"
)

// Main is what TestMain of a package that runs ffmpeg calls.
func Main(m *testing.M) {
	ffmpeg.Confined()
	code := m.Run()
	if folder.path != "" {
		os.RemoveAll(folder.path)
	}
	os.Exit(code)
}

// folder keeps the films until the process ends.
var folder struct {
	sync.Mutex
	path  string
	films map[string]*film
}

// film is made once, by the first test that wants it.
type film struct {
	once sync.Once
	path string
	out  []byte
	err  error
}

// Runner finds ffmpeg, or the test fails. Programs of tests are in no way nice:
// on a busy machine the tests would take for ever.
func Runner(t testing.TB) *ffmpeg.Runner {
	t.Helper()
	r, err := ffmpeg.FindRunner(nil)
	if err != nil {
		t.Fatalf("ffmpeg is missing: run make deps (%v)", err)
	}
	r.Nice = 0
	return r
}

// Input is a file as a source of one part.
func Input(t testing.TB, path string) ffmpeg.Input {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return ffmpeg.Input{Parts: []ffmpeg.Part{{Path: path, Size: info.Size()}}}
}

// Make runs ffmpeg with the arguments and answers the file that it wrote, which
// ends in name and must be left as it is: the same arguments give the same file.
func Make(t testing.TB, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Fatal("ffmpeg is missing: run make deps")
	}
	f := find(t, name+"\x00"+strings.Join(args, "\x00"), name)
	f.once.Do(func() {
		all := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-y"}, args...)
		f.out, f.err = exec.Command("ffmpeg", append(all, f.path)...).CombinedOutput()
	})
	if f.err != nil {
		t.Fatalf("make %s: %v\n%s", name, f.err, f.out)
	}
	return f.path
}

func find(t testing.TB, key, name string) *film {
	t.Helper()
	folder.Lock()
	defer folder.Unlock()
	if folder.path == "" {
		path, err := os.MkdirTemp("", "stoa-films-")
		if err != nil {
			t.Fatal(err)
		}
		folder.path, folder.films = path, map[string]*film{}
	}
	if folder.films[key] == nil {
		number := strconv.Itoa(len(folder.films))
		folder.films[key] = &film{path: filepath.Join(folder.path, number+"-"+name)}
	}
	return folder.films[key]
}

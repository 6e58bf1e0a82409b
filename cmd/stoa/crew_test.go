package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"
)

// crewPatience is for what has to be encoded by processes that are killed, on a machine
// that has other things to do.
const crewPatience = 5 * time.Minute

// crew is a server of videos and two workers on one data folder, each of them a process
// that may be killed and started again.
type crew struct {
	t       *testing.T
	folder  string
	environ []string
	key     string
	members []*member // the first is the server
}

// member is one process after the other.
type member struct {
	args []string
	cmd  *exec.Cmd
	log  *crewLog
}

// newCrew starts processes, each with its arguments. The first is the server.
func newCrew(t *testing.T, members ...[]string) *crew {
	t.Helper()
	c := &crew{t: t, folder: t.TempDir()}
	c.environ = []string{
		"PATH=" + os.Getenv("PATH"), "STOA_DATA=" + filepath.Join(c.folder, "data"), "STOA_VIDEO_LISTEN=127.0.0.1:0", "STOA_SECOND_LISTEN=off",
		"STOA_RTMP_LISTEN=127.0.0.1:0", "STOA_SRT_LISTEN=off", "STOA_WHIP_LISTEN=off",
		"STOA_VIDEO_ENCODERS=1", "STOA_LIMITS=off", "DEBUG_HOST=127.0.0.1", "DEBUG_PORT=0", "DISABLE_STATS=true", "GORACE=atexit_sleep_ms=0",
	}
	c.run("migrate")
	c.key = c.run("apikey", "create", "tests")
	for _, args := range members {
		c.members = append(c.members, &member{args: args, log: new(crewLog)})
	}
	t.Cleanup(func() {
		for _, m := range c.members {
			c.end(m, os.Kill)
			if t.Failed() || strings.Contains(m.log.String(), "DATA RACE") {
				t.Errorf("log of stoa %s:\n%s", strings.Join(m.args, " "), m.log)
			}
		}
	})
	for _, m := range c.members {
		c.start(m)
	}
	return c
}

// run runs a command, and returns what it prints.
func (c *crew) run(args ...string) string {
	c.t.Helper()
	cmd, stdout, stderr := stoa(c.t, c.environ, args...)
	if err := cmd.Run(); err != nil {
		c.t.Fatalf("stoa %q: %v\n%s", args, err, stderr)
	}
	return strings.TrimSpace(stdout.String())
}

func (c *crew) start(m *member) {
	cmd, _, _ := stoa(c.t, c.environ, m.args...)
	cmd.Stderr = m.log
	m.log.restart()
	if err := cmd.Start(); err != nil {
		c.t.Error(err)
		return
	}
	m.cmd = cmd
}

// end ends a process and waits for that.
func (c *crew) end(m *member, signal os.Signal) {
	if m.cmd == nil {
		return
	}
	if err := m.cmd.Process.Signal(signal); err != nil {
		c.t.Errorf("stoa %q has ended by itself:\n%s", m.args, m.log)
	}
	err := m.cmd.Wait()
	if signal != os.Kill && err != nil {
		c.t.Errorf("stoa %q: got %v, want exit 0", m.args, err)
	}
	m.cmd = nil
}

// client is the official client of the server that runs now, or will soon.
func (c *crew) client() *apivideo.Client {
	return apivideo.ClientBuilder(c.key).BaseURL(c.address()).UploadChunkSize(128 << 20).Build()
}

func (c *crew) address() string {
	for deadline := time.Now().Add(crewPatience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if address := c.members[0].log.address("video"); address != "" {
			return "http://" + address
		}
	}
	c.t.Error("the server does not listen")
	return "http://127.0.0.1:0"
}

// untilTaken asks until the server has answered, however often it is killed meanwhile. An
// answer that says that it was done before is a yes too.
func (c *crew) untilTaken(what string, ask func() error) {
	var err error
	for deadline := time.Now().Add(crewPatience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if err = ask(); err == nil || c.t.Context().Err() != nil {
			return
		}
		if refusal, ok := errors.AsType[*apivideo.ErrorResponse](err); ok {
			if strings.HasSuffix(refusal.Type, "-already-uploaded") {
				return
			}
			break
		}
	}
	c.t.Errorf("%s: %v", what, err)
}

func (c *crew) create(title string) (id string) {
	c.untilTaken("create", func() error {
		v, err := c.client().Videos.Create(apivideo.VideoCreationPayload{Title: title})
		if err == nil {
			id = v.VideoId
		}
		return err
	})
	return id
}

// upload sends a film: as a whole by the official client, or in two parts, each of which
// is sent again when nobody answered.
func (c *crew) upload(id string, film []byte, whole bool) {
	if whole {
		c.untilTaken("upload", func() error {
			_, err := c.client().Videos.Upload(id, "film.mp4", bytes.NewReader(film), int64(len(film)))
			return err
		})
		return
	}
	for n, part := range [][]byte{film[:killFilmPart], film[killFilmPart:]} {
		c.untilTaken("upload of a part", func() error { return c.sendPart(id, fmt.Sprintf("part %d/2", n+1), part) })
	}
}

func (c *crew) sendPart(id, which string, part []byte) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	w, err := form.CreateFormFile("file", "film.mp4")
	if err != nil {
		return err
	}
	w.Write(part)
	form.Close()
	request, err := http.NewRequestWithContext(context.WithoutCancel(c.t.Context()), http.MethodPost, c.address()+"/videos/"+id+"/source", &body)
	if err != nil {
		return err
	}
	request.SetBasicAuth(c.key, "")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Content-Range", which)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode == http.StatusCreated || bytes.Contains(text, []byte("already")) {
		return err
	}
	return fmt.Errorf("%s: got %d %s", which, response.StatusCode, text)
}

// crewLog is what the processes of a member wrote.
type crewLog struct {
	mu    sync.Mutex
	text  bytes.Buffer
	since int // where the last of them began
}

func (l *crewLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *crewLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *crewLog) restart() {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintln(&l.text, "--- starts")
	l.since = l.text.Len()
}

// address is where the last process listens for something, "" while it does not.
func (l *crewLog) address(port string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if m := regexp.MustCompile(`Listening for ` + port + ` on '([^']+)'`).FindSubmatch(l.text.Bytes()[l.since:]); m != nil {
		return string(m[1])
	}
	return ""
}

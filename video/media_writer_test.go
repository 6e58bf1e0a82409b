package video_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"stoa/video"
)

// distant is a client that takes so many bytes a second. As with a server's own limit,
// the first deadline is two minutes after the request.
type distant struct {
	*httptest.ResponseRecorder
	rate     int
	deadline time.Time
}

func (c *distant) SetWriteDeadline(t time.Time) error { c.deadline = t; return nil }

func (c *distant) Write(p []byte) (int, error) {
	time.Sleep(time.Duration(len(p)) * time.Second / time.Duration(c.rate))
	if time.Now().After(c.deadline) {
		return 0, os.ErrDeadlineExceeded
	}
	return c.ResponseRecorder.Write(p)
}

func TestMediaGoOnAsLongAsTheyAreRead(t *testing.T) {
	t.Parallel()
	content := film(5<<20 + 7)
	name := filepath.Join(t.TempDir(), "film")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for how, send := range map[string]func(http.ResponseWriter) error{
		"memory": func(w http.ResponseWriter) error {
			_, err := io.CopyN(video.NewDirectWriter(w), bytes.NewReader(content), int64(len(content)))
			return err
		},
		"a part of memory": func(w http.ResponseWriter) error {
			_, err := io.CopyN(video.NewDirectWriter(w), bytes.NewReader(append(content, 1, 2, 3)), int64(len(content)))
			return err
		},
		"a file": func(w http.ResponseWriter) error {
			f, err := os.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = io.CopyN(video.NewDirectWriter(w), f, int64(len(content)))
			return err
		},
	} {
		for _, c := range []struct {
			rate int
			want error
		}{{10_000, nil}, {1_000, os.ErrDeadlineExceeded}} {
			synctest.Test(t, func(t *testing.T) {
				client := &distant{httptest.NewRecorder(), c.rate, time.Now().Add(2 * time.Minute)}
				err := send(client)
				if whole := bytes.Equal(client.Body.Bytes(), content); !errors.Is(err, c.want) || whole != (c.want == nil) {
					t.Errorf("%s at %d bytes a second: got %v and %d bytes, want %v", how, c.rate, err, client.Body.Len(), c.want)
				}
			})
		}
	}
}

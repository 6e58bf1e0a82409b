package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
)

// call asks the API, and reads the answer into an object.
func (s *server) call(ctx context.Context, method, path, body string, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+s.Address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	return s.send(r, into)
}

func (s *server) send(r *http.Request, into any) error {
	r.SetBasicAuth(s.key, "")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer w.Body.Close()
	answer, err := io.ReadAll(w.Body)
	if err != nil {
		return err
	}
	if w.StatusCode >= 300 {
		return fmt.Errorf("%s %s: %s %s", r.Method, r.URL.Path, w.Status, answer)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(answer, into)
}

// create makes a video.
func (s *server) create(ctx context.Context, body string) (id string, err error) {
	var video struct{ VideoID string }
	err = s.call(ctx, http.MethodPost, "/videos", body, &video)
	return video.VideoID, err
}

// What a form has before the source, and after it.
const (
	formHead = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"film.mp4\"\r\nContent-Type: video/mp4\r\n\r\n"
	formTail = "\r\n--b--\r\n"
	formType = "multipart/form-data; boundary=b"
)

// partSize is how much of a source is sent at once; the API takes 200 MiB at most.
const partSize = 100 << 20

// sendFile uploads a source, and tells when the last byte of it had gone.
func (s *server) sendFile(ctx context.Context, id, name string) (sent time.Time, err error) {
	f, err := os.Open(name)
	if err != nil {
		return sent, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return sent, err
	}
	size := info.Size()
	for first := int64(0); first < size; first += partSize {
		if sent, err = s.sendPart(ctx, id, f, first, min(partSize, size-first), size); err != nil {
			return sent, err
		}
	}
	return sent, nil
}

func (s *server) sendPart(ctx context.Context, id string, of io.ReaderAt, first, size, total int64) (sent time.Time, err error) {
	last := &stamped{Reader: strings.NewReader(formTail)}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.Address+"/videos/"+id+"/source",
		io.MultiReader(strings.NewReader(formHead), io.NewSectionReader(of, first, size), last))
	if err != nil {
		return sent, err
	}
	r.ContentLength = int64(len(formHead)) + size + int64(len(formTail))
	r.Header.Set("Content-Type", formType)
	if size < total {
		r.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", first, first+size-1, total))
	}
	err = s.send(r, nil)
	return time.UnixMicro(last.first.Load()), err
}

// stamped tells when it was first read, in microseconds since 1970.
type stamped struct {
	io.Reader
	first atomic.Int64
}

func (s *stamped) Read(p []byte) (int, error) {
	s.first.CompareAndSwap(0, time.Now().UnixMicro())
	return s.Reader.Read(p)
}

// isThere tells whether a file can be fetched, and its bytes.
func (s *server) isThere(ctx context.Context, path string) (content []byte, there bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Address+path, nil)
	if err != nil {
		return nil, false, err
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, false, err
	}
	defer w.Body.Close()
	content, err = io.ReadAll(w.Body)
	return content, w.StatusCode == http.StatusOK, err
}

// until asks again and again whether something is so, and gives up after an hour.
func until(ctx context.Context, pause time.Duration, isSo func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, time.Hour)
	defer cancel()
	for {
		so, err := isSo()
		if so || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

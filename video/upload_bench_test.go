package video_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/internal/blob/file"
)

// BenchmarkUpload sends a source over HTTP into a folder, and writes the same bytes to a
// file of the same disk by turns. ratio is how fast the first is by the second, in the
// quickest turns.
func BenchmarkUpload(b *testing.B) {
	content := newFilm(128 * mib)
	folder := b.TempDir()
	blobs, err := file.New(folder)
	if err != nil {
		b.Fatal(err)
	}
	defer blobs.Close()
	s := newStudioOn(b, sqlite(b), blobs)
	sent, written := time.Duration(1<<62), time.Duration(1<<62)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		id := s.newVideo()
		begin := time.Now()
		s.stream(id, content)
		sent = min(sent, time.Since(begin))
		b.StopTimer()
		if err := blobs.Delete(b.Context(), s.keys(id)[0]); err != nil {
			b.Fatal(err)
		}
		written = min(written, writeRaw(b, filepath.Join(folder, "raw"), content))
		b.StartTimer()
	}
	b.ReportMetric(float64(written)/float64(sent), "ratio")
}

// stream sends a source without a copy of it in memory.
func (s *studio) stream(id string, content []byte) {
	const tail = "\r\n--b--\r\n"
	r := s.request("/videos/"+id+"/source", "", "multipart/form-data; boundary=b",
		io.MultiReader(strings.NewReader(fileHead), bytes.NewReader(content), strings.NewReader(tail)))
	r.ContentLength = int64(len(fileHead) + len(content) + len(tail))
	s.send(r).want(201)
}

func writeRaw(b *testing.B, name string, content []byte) time.Duration {
	begin := time.Now()
	f, err := os.Create(name)
	if err != nil {
		b.Fatal(err)
	}
	// In bites, as a program does that copies.
	if _, err := io.Copy(struct{ io.Writer }{f}, struct{ io.Reader }{bytes.NewReader(content)}); err != nil {
		b.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	if err := os.Remove(name); err != nil {
		b.Fatal(err)
	}
	return took
}

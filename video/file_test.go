package video_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"testing"

	"stoa/internal/db/dbtest"
	"stoa/video"
)

// sendFile uploads a file. It stands in a field of its own name, as one of the official
// clients has it.
func (s *site) sendFile(path, name string, content []byte, fields ...string) *answer {
	s.t.Helper()
	return s.sendFileAs(s.key, path, name, content, fields...)
}

// sendFileAs uploads a file with some key; fields are names and values.
func (s *site) sendFileAs(key, path, name string, content []byte, fields ...string) *answer {
	s.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile(name, name)
	if err != nil {
		s.t.Fatal(err)
	}
	part.Write(content)
	for pair := range slices.Chunk(fields, 2) {
		w.WriteField(pair[0], pair[1])
	}
	w.Close()
	r, err := http.NewRequestWithContext(s.t.Context(), "POST", s.url+path, &body)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.SetBasicAuth(key, "")
	return s.send(r)
}

// files is what is stored below a prefix, by key.
func (s *site) files(prefix string) map[string][]byte {
	s.t.Helper()
	all := map[string][]byte{}
	for info, err := range s.Blobs.List(s.t.Context(), prefix) {
		if err != nil {
			s.t.Fatal(err)
		}
		object, err := s.Blobs.Open(s.t.Context(), info.Key)
		if err != nil {
			s.t.Fatal(err)
		}
		content, err := io.ReadAll(object)
		object.Close()
		if err != nil {
			s.t.Fatal(err)
		}
		all[info.Key] = content
	}
	return all
}

// oneFile is the only file below a prefix.
func (s *site) oneFile(prefix string) (key string, content []byte) {
	s.t.Helper()
	all := s.files(prefix)
	if len(all) != 1 {
		s.t.Fatalf("got %d files below %s, want one", len(all), prefix)
	}
	for key, content = range all {
	}
	return key, content
}

// drawn is a picture in one colour.
func drawn(width, height int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = 200
	}
	img.Set(0, 0, color.White)
	return img
}

func pngFile(t testing.TB, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, drawn(width, height)); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegFile(t testing.TB, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn(width, height), nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// How much is taken has nothing to do with the database, and takes long enough with one.
func TestFilesThatAreTooLarge(t *testing.T) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	if err := d.Migrate(t.Context(), video.Room, video.Migrations()); err != nil {
		t.Fatal(err)
	}
	s := newSite(t, d)
	id := s.newVideo("x")
	for path, limit := range map[string]int{
		"/videos/" + id + "/captions/en": 10 << 20, "/videos/" + id + "/thumbnail": 8 << 20, "/watermarks": 8 << 20,
	} {
		s.sendFile(path, "file", make([]byte, limit+1)).refused(400, "uploaded-file-too-large", "file")
	}
}

// items are the objects of a list.
func (a *answer) items() []object {
	a.t.Helper()
	var all []object
	for _, item := range a.want(200)["data"].([]any) {
		all = append(all, item.(object))
	}
	return all
}

// column is one field of all items.
func column(items []object, name string) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = item[name]
	}
	return all
}

package form_test

import (
	"bytes"
	"errors"
	"io"
	"mime/multipart"
	"net/http/httptest"
	"testing"

	"stoa/video/internal/form"
	"stoa/video/internal/problem"
)

// Whatever comes, it is a file or an error that can be told.
func FuzzRead(f *testing.F) {
	f.Add(formType, fileHead+"content"+end)
	f.Add(formType, field("link", "x")+fileHead+"content\r\n"+field("videoId", "vi1")+"--b--")
	f.Add(formType, "--b\nContent-Disposition: form-data; filename=x\n\nx\n--b--")
	f.Add("multipart/form-data; boundary=\"b b\"", "--b b--")
	f.Fuzz(func(t *testing.T, contentType, body string) {
		g := read(post(contentType, body), form.Options{Limit: 100})
		if g.err == nil {
			if g.files != 1 || len(g.content) == 0 || len(g.content) > 100 {
				t.Fatalf("got %+v, want one file of 1 to 100 bytes", g)
			}
			return
		}
		if e, ok := errors.AsType[*problem.Error](g.err); !ok || e.Status != 400 {
			t.Fatalf("got %v, want a 400", g.err)
		}
	})
}

// A form that was written comes back whole, and cut short it never does.
func FuzzWritten(f *testing.F) {
	f.Add([]byte("content"), 3)
	f.Add([]byte("\r\n--0--\r\n"), 200)
	f.Fuzz(func(t *testing.T, content []byte, cut int) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		if err := w.SetBoundary("0"); err != nil {
			t.Fatal(err)
		}
		part, err := w.CreateFormFile("file", "clip.mp4")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = part.Write(content)
		_ = w.Close()
		if bytes.Contains(append([]byte("\r\n"), content...), []byte("\r\n--0")) {
			t.Skip("the boundary stands in the file")
		}
		whole := body.Len() - len("\r\n") // the last line break may be missing
		cut = min(max(cut, 0), body.Len())
		r := httptest.NewRequest("POST", "/", io.MultiReader(bytes.NewReader(body.Bytes()[:cut])))
		r.Header.Set("Content-Type", w.FormDataContentType())
		g := read(r, form.Options{Limit: 1 << 30, Empty: true})
		if cut < whole && g.err == nil {
			t.Fatalf("cut at %d of %d: got a whole file of %d bytes, want an error", cut, whole, len(g.content))
		}
		if (cut == whole || cut == body.Len()) && (g.err != nil || g.content != string(content)) {
			t.Fatalf("got %q (%v), want %q", g.content, g.err, content)
		}
	})
}

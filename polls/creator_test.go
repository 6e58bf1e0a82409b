package polls_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// draft makes a poll without an image.
func (c login) draft(params object) object {
	c.t.Helper()
	all := object{"caption": "Tabs or spaces?", "choice1": "Tabs", "choice2": "Spaces"}
	maps.Copy(all, params)
	return c.call("POST", "/polls", all).object()
}

// upload sends a file with the form of a draft.
func (s *site) upload(draft object, file []byte) answer {
	s.t.Helper()
	data := draft["uploadData"].(object)
	body, contentType := form(s.t, data["formData"].(object), file)
	path := strings.TrimPrefix(data["postUrl"].(string), s.service.Origin)
	return s.send("POST", path, http.Header{"Content-Type": {contentType}}, body)
}

func form(t testing.TB, fields object, file []byte) (io.Reader, string) {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range fields {
		_ = w.WriteField(name, value.(string))
	}
	part, err := w.CreateFormFile("file", "picture.jpg")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(file)
	_ = w.Close()
	return &b, w.FormDataContentType()
}

// announce tells that the image of a draft was uploaded.
func (c login) announce(draft object, params object) answer {
	c.t.Helper()
	all := object{"image_id": draft["imageID"]}
	maps.Copy(all, params)
	return c.call("POST", pollPath(draft)+"/image_uploaded", all)
}

// ready makes a poll that can be seen.
func (c login) ready(params object) object {
	c.t.Helper()
	draft := c.draft(params)
	if got := c.upload(draft, somePicture); got.status != http.StatusNoContent {
		c.t.Fatalf("got %d %s want the upload to be taken", got.status, got.body)
	}
	c.announce(draft, nil).object()
	return draft
}

func pollID(poll object) int64 { return int64(poll["pollID"].(float64)) }

func pollPath(poll object) string { return fmt.Sprint("/polls/", pollID(poll)) }

var somePicture = paint(80, 40)

// paint makes a JPEG file.
func paint(width, height int) []byte {
	m := image.NewGray(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = byte(i)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, nil); err != nil {
		panic(err)
	}
	return b.Bytes()
}

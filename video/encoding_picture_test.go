package video_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"iter"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// remote hides what a store can do beside keeping objects.
type remote struct{ blob.Store }

func readFile(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func contains(text, part string) bool { return strings.Contains(text, part) }

func keysOf[V any](m map[string]V) iter.Seq[string] { return maps.Keys(m) }

// frame is the first picture of the largest rendition.
func (w *workshop) frame(id string) image.Image {
	w.t.Helper()
	r := ffmpegtest.Runner(w.t)
	in := ffmpegtest.Input(w.t, w.track(id, w.plan(id).Renditions[0].Name))
	media, err := r.Probe(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	still, err := r.Still(w.t.Context(), in, media, 0, 0)
	if err != nil {
		w.t.Fatal(err)
	}
	return decodeJPEG(w.t, still)
}

func decodeJPEG(t testing.TB, content []byte) image.Image {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func brightest(picture image.Image) (light uint8) {
	b := picture.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			light = max(light, color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y)
		}
	}
	return light
}

func isRed(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return r > 0x8000 && g < 0x6000 && b < 0x6000
}

// newWatermark uploads a red picture.
func (w *workshop) newWatermark(width, height int) (id string) {
	w.t.Helper()
	mark := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range mark.Pix {
		mark.Pix[i] = []uint8{255, 0, 0, 255}[i%4]
	}
	var content bytes.Buffer
	if err := png.Encode(&content, mark); err != nil {
		w.t.Fatal(err)
	}
	return w.send(w.fileRequest("/watermarks", "mark.png", &content)).want(200)["watermarkId"].(string)
}

// fileRequest is an upload of a file.
func (w *workshop) fileRequest(path, name string, content io.Reader) *http.Request {
	w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := io.Copy(part, content); err != nil {
		w.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		w.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), "POST", w.url+path, &body)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.SetBasicAuth(w.key, "")
	return r
}

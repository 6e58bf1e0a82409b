package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"

	"stoa/internal/fault"
	"stoa/video/internal/picture"
	"stoa/video/internal/problem"
)

var (
	red   = color.RGBA{255, 0, 0, 255}
	green = color.RGBA{0, 255, 0, 255}
)

// drawn is a red picture whose left upper quarter is green.
func drawn(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := red
			if x < width/2 && y < height/2 {
				c = green
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func pngOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func jpegOf(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// turned is a JPEG file that says how the camera was held.
func turned(t testing.TB, img image.Image, orientation byte) []byte {
	t.Helper()
	file := jpegOf(t, img)
	exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"),
		orientation, 0, 0, 0, 0, 0, 0)
	head := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+2))...)
	return append(append(head, exif...), file[2:]...)
}

func poster(t testing.TB, file []byte) image.Image {
	t.Helper()
	out, err := picture.New().Poster(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// isGreen tells a corner of a poster from the rest, whatever JPEG made of its colour.
func isGreen(img image.Image, x, y int) bool {
	r, g, _, _ := img.At(x, y).RGBA()
	return g > r
}

func TestPostersAreAtMost1280Wide(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ size, want image.Point }{
		{image.Pt(100, 60), image.Pt(100, 60)},
		{image.Pt(1280, 72), image.Pt(1280, 72)},
		{image.Pt(1920, 108), image.Pt(1280, 72)},
		{image.Pt(6001, 30), image.Pt(1280, 6)},
		{image.Pt(8, 6000), image.Pt(6, 5120)},
		{image.Pt(9000, 1), image.Pt(1280, 1)},
	} {
		img := poster(t, pngOf(t, drawn(test.size.X, test.size.Y)))
		if got := img.Bounds().Size(); got != test.want {
			t.Errorf("%v: got %v want %v", test.size, got, test.want)
		}
	}
}

func TestPostersKeepWhatIsSeen(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{"PNG": pngOf(t, drawn(3000, 200)), "JPEG": jpegOf(t, drawn(3000, 200))} {
		img := poster(t, file)
		if !isGreen(img, 10, 10) || isGreen(img, 1270, 10) || isGreen(img, 10, 80) {
			t.Errorf("%s: got %v and %v, want green on the left above, red elsewhere", name, img.At(10, 10), img.At(1270, 10))
		}
	}
}

func TestPostersAreTurnedUpright(t *testing.T) {
	t.Parallel()
	for orientation, corner := range []image.Point{1: {0, 0}, 2: {1, 0}, 3: {1, 1}, 4: {0, 1}, 5: {0, 0}, 6: {1, 0}, 7: {1, 1}, 8: {0, 1}} {
		if orientation == 0 {
			continue
		}
		img := poster(t, turned(t, drawn(64, 32), byte(orientation)))
		want := image.Pt(64, 32)
		if orientation >= 5 {
			want = image.Pt(32, 64)
		}
		size := img.Bounds().Size()
		if size != want {
			t.Errorf("orientation %d: got %v want %v", orientation, size, want)
		}
		if x, y := corner.X*(size.X-9)+4, corner.Y*(size.Y-9)+4; !isGreen(img, x, y) || isGreen(img, size.X-1-x, size.Y-1-y) {
			t.Errorf("orientation %d: got %v at %d,%d want the green corner", orientation, img.At(x, y), x, y)
		}
	}
}

func TestWatermarksKeepTransparencyAndSize(t *testing.T) {
	t.Parallel()
	img := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	img.SetNRGBA(3, 4, color.NRGBA{10, 20, 30, 128})
	mark, err := picture.New().Watermark(t.Context(), pngOf(t, img))
	if err != nil || mark.Width != 30 || mark.Height != 20 {
		t.Fatalf("got %d x %d, %v, want 30 x 20", mark.Width, mark.Height, err)
	}
	back, err := png.Decode(bytes.NewReader(mark.PNG))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := color.NRGBAModel.Convert(back.At(3, 4)), (color.NRGBA{10, 20, 30, 128}); got != want {
		t.Errorf("got %v want %v", got, want)
	}
}

// What a file carries beside its pixels may be private, or a page for a browser.
func TestOnlyPixelsAreTakenOver(t *testing.T) {
	t.Parallel()
	const note = "<script>alert(1)</script>"
	file := jpegOf(t, drawn(20, 20))
	comment := append([]byte{0xff, 0xd8, 0xff, 0xfe, 0, byte(len(note) + 2)}, note...)
	file = append(append(comment, file[2:]...), note...)
	mark, err := picture.New().Logo(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	out, err := picture.New().Poster(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(mark.PNG, []byte(note)) || bytes.Contains(out, []byte(note)) {
		t.Error("got the note in the picture, want it left behind")
	}
}

// claiming is a PNG of some bytes that says it has many points.
func claiming(width, height uint32) []byte {
	head := binary.BigEndian.AppendUint32([]byte("IHDR"), width)
	head = append(binary.BigEndian.AppendUint32(head, height), 8, 6, 0, 0, 0)
	file := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(head))
}

func TestFilesThatAreRefused(t *testing.T) {
	t.Parallel()
	var animation bytes.Buffer
	if err := gif.Encode(&animation, drawn(10, 10), nil); err != nil {
		t.Fatal(err)
	}
	whole := pngOf(t, drawn(50, 50))
	for _, test := range []struct {
		name string
		file []byte
		want *problem.Error
	}{
		{"nothing", nil, problem.FileExtension},
		{"text", []byte("WEBVTT"), problem.FileExtension},
		{"a page", []byte("<svg xmlns='http://www.w3.org/2000/svg'/>"), problem.FileExtension},
		{"a GIF", animation.Bytes(), problem.FileExtension},
		{"a file cut short", whole[:len(whole)/2], problem.FileInvalid},
		{"a beginning alone", whole[:10], problem.FileInvalid},
		{"too many points", claiming(100_000, 100_000), problem.FileInvalid},
		{"a few too many", claiming(50_000_001, 1), problem.FileInvalid},
		{"no points", claiming(0, 10), problem.FileInvalid},
	} {
		m := picture.New()
		if _, err := m.Poster(t.Context(), test.file); !errors.Is(err, test.want) {
			t.Errorf("poster of %s: got %v want %v", test.name, err, test.want)
		}
		if _, err := m.Watermark(t.Context(), test.file); !errors.Is(err, test.want) {
			t.Errorf("watermark of %s: got %v want %v", test.name, err, test.want)
		}
	}
}

func TestLogosAreSmall(t *testing.T) {
	t.Parallel()
	m := picture.New()
	if mark, err := m.Logo(t.Context(), pngOf(t, drawn(200, 100))); err != nil || mark.Width != 200 {
		t.Errorf("got %v want the largest logo taken", err)
	}
	for _, size := range []image.Point{{201, 10}, {10, 101}} {
		if _, err := m.Logo(t.Context(), pngOf(t, drawn(size.X, size.Y))); !errors.Is(err, problem.FileInvalid) {
			t.Errorf("%v: got %v want it refused", size, err)
		}
	}
}

func TestWhoCannotWaitIsToldSo(t *testing.T) {
	t.Parallel()
	m := picture.New()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.Poster(ended, pngOf(t, drawn(10, 10)))
	if !errors.Is(err, fault.Unavailable) && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v want to be told that it was too long", err)
	}
}

// Whatever comes, it is a picture or an error that can be told.
func FuzzPoster(f *testing.F) {
	f.Add(pngOf(f, drawn(8, 8)))
	f.Add(turned(f, drawn(8, 8), 6))
	f.Add([]byte("RIFF\x00\x00\x00\x00WEBPVP8 "))
	m := picture.New()
	f.Fuzz(func(t *testing.T, file []byte) {
		if _, err := m.Poster(t.Context(), file); err != nil {
			if _, ok := errors.AsType[*problem.Error](err); !ok {
				t.Fatalf("got %v want a problem", err)
			}
		}
	})
}

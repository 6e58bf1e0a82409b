package picture_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"stoa/internal/fault"
	"stoa/polls/internal/picture"
)

func make1(t *testing.T, file []byte) *picture.Set {
	t.Helper()
	set, err := picture.New(1).Make(t.Context(), bytes.NewReader(file))
	if err != nil {
		t.Fatalf("Make: %v", err)
	}
	return set
}

// pixels decodes a thumbnail by its declared type and checks its declared sides.
func pixels(t *testing.T, thumb picture.Thumb) image.Image {
	t.Helper()
	decode := map[string]func(io.Reader) (image.Image, error){"image/jpeg": jpeg.Decode, "image/png": png.Decode}[thumb.ContentType]
	if decode == nil {
		t.Fatalf("got type %q", thumb.ContentType)
	}
	img, err := decode(bytes.NewReader(thumb.Data))
	if err != nil {
		t.Fatalf("decode thumbnail: %v", err)
	}
	if got, want := img.Bounds(), image.Rect(0, 0, thumb.Width, thumb.Height); got != want {
		t.Errorf("got bounds %v want %v", got, want)
	}
	return img
}

// looks checks a pixel at a fraction of both sides, within what JPEG may change.
func looks(t *testing.T, img image.Image, fx, fy float64, want color.NRGBA) {
	t.Helper()
	b := img.Bounds()
	got := color.NRGBAModel.Convert(img.At(int(fx*float64(b.Dx())), int(fy*float64(b.Dy())))).(color.NRGBA)
	for _, d := range []int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B), int(got.A) - int(want.A)} {
		if max(d, -d) > 16 {
			t.Errorf("at %.2f, %.2f: got %v want %v", fx, fy, got, want)
			return
		}
	}
}

func TestThumbnailsFitTheirSquares(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, medium, large image.Point }{
		{image.Pt(16, 16), image.Pt(16, 16), image.Pt(16, 16)},
		{image.Pt(640, 48), image.Pt(640, 48), image.Pt(640, 48)},
		{image.Pt(700, 28), image.Pt(640, 26), image.Pt(700, 28)},
		{image.Pt(100, 2000), image.Pt(32, 640), image.Pt(64, 1280)},
		{image.Pt(16, 10000), image.Pt(1, 640), image.Pt(2, 1280)},
		{image.Pt(5401, 17), image.Pt(640, 2), image.Pt(1280, 4)},
	}
	for _, tt := range tests {
		set := make1(t, pngFile(t, plain(tt.file.X, tt.file.Y, red)))
		if got := image.Pt(set.Width, set.Height); got != tt.file {
			t.Errorf("got size %v want %v", got, tt.file)
		}
		if got := image.Pt(set.Medium.Width, set.Medium.Height); got != tt.medium {
			t.Errorf("%v: got medium %v want %v", tt.file, got, tt.medium)
		}
		if got := image.Pt(set.Large.Width, set.Large.Height); got != tt.large {
			t.Errorf("%v: got large %v want %v", tt.file, got, tt.large)
		}
		looks(t, pixels(t, set.Medium), 0.5, 0.5, red)
		looks(t, pixels(t, set.Large), 0.5, 0.5, red)
	}
}

// A long picture is averaged down before it is scaled; nothing may move by it.
func TestScalingKeepsPlaces(t *testing.T) {
	t.Parallel()
	for _, size := range []image.Point{{800, 100}, {101, 5123}} {
		set := make1(t, pngFile(t, quarters(size.X, size.Y)))
		for _, thumb := range []picture.Thumb{set.Medium, set.Large} {
			img := pixels(t, thumb)
			looks(t, img, 0.25, 0.25, red)
			looks(t, img, 0.75, 0.25, green)
			looks(t, img, 0.25, 0.75, blue)
			looks(t, img, 0.75, 0.75, gray)
		}
	}
}

func TestEveryAcceptedForm(t *testing.T) {
	t.Parallel()
	half := color.NRGBA{0x80, 0x40, 0x20, 0x80}
	deep := image.NewNRGBA64(image.Rect(0, 0, 20, 20))
	for i := range deep.Pix {
		deep.Pix[i] = 0xff * byte(i/8%2) // columns of white and nothing
	}
	frames := &gif.GIF{Image: []*image.Paletted{plain(20, 20, red), plain(20, 20, blue)}, Delay: []int{1, 1}}
	animated := gifFile(t, frames)
	still := pngFile(t, plain(20, 20, red))
	tests := []struct {
		name  string
		file  []byte
		want  color.NRGBA // in the middle
		typ   string
		sides int
	}{
		{"JPEG", jpegFile(t, plain(20, 20, red)), red, "image/jpeg", 20},
		{"gray JPEG", jpegFile(t, image.NewGray(image.Rect(0, 0, 20, 20))), color.NRGBA{A: 0xff}, "image/jpeg", 20},
		{"progressive JPEG", rawJPEG(16, 16, 0xc2, 1, scan(1, 0, 0, 4)), gray, "image/jpeg", 16},
		{"CMYK JPEG", rawJPEG(16, 16, 0xc0, 4, scan(4, 0, 63, 32)), color.NRGBA{64, 64, 64, 255}, "image/jpeg", 16},
		{"PNG", still, red, "image/jpeg", 20},
		{"PNG of 16 bits", pngFile(t, image.NewGray16(image.Rect(0, 0, 20, 20))), color.NRGBA{A: 0xff}, "image/jpeg", 20},
		{"PNG of 16 bits with alpha", pngFile(t, deep), none, "image/png", 20},
		{"PNG with a transparent palette", pngFile(t, plain(20, 20, half)), half, "image/png", 20},
		{"PNG of which a transparent colour is not used", still, red, "image/jpeg", 20},
		{"interlaced PNG", rawPNG(16, 16, 1, make([]byte, 16*16+2+2+2+4+4+8+8)), color.NRGBA{A: 0xff}, "image/jpeg", 16},
		{"animated PNG", afterHead(still,
			pngChunk("acTL", []byte{0, 0, 0, 2, 0, 0, 0, 0}),
			pngChunk("fcTL", make([]byte, 26)),
			pngChunk("fdAT", []byte("\x00\x00\x00\x01nonsense"))), red, "image/jpeg", 20},
		{"PNG with a bomb beside the pixels", afterHead(still,
			pngChunk("zTXt", append([]byte("Raw profile type exif\x00\x00"), deflated(io.LimitReader(zeros{}, 1<<20))...))), red, "image/jpeg", 20},
		{"GIF", gifFile(t, &gif.GIF{Image: []*image.Paletted{plain(20, 20, red)}, Delay: []int{0}}), red, "image/jpeg", 20},
		{"animated GIF, cut in the second frame", animated[:len(animated)-8], red, "image/jpeg", 20},
		{"lossless WebP", webpFile(lossless(20, 20, red)), red, "image/jpeg", 20},
		{"lossless WebP with alpha", webpFile(lossless(20, 20, half)), half, "image/png", 20},
		{"lossy WebP", webpFile(lossy(20, 20)), gray, "image/jpeg", 20},
		{"lossy WebP with alpha", webpFile(webpHead(16, 20, 20), riffChunk("ALPH", make([]byte, 1+20*20)), lossy(20, 20)), none, "image/png", 20},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			set := make1(t, tt.file)
			if set.Medium.ContentType != tt.typ || set.Large.ContentType != tt.typ {
				t.Errorf("got types %s, %s want %s", set.Medium.ContentType, set.Large.ContentType, tt.typ)
			}
			if set.Width != tt.sides || set.Height != tt.sides {
				t.Errorf("got %d x %d want %d", set.Width, set.Height, tt.sides)
			}
			looks(t, pixels(t, set.Medium), 0.5, 0.5, tt.want)
			looks(t, pixels(t, set.Large), 0.5, 0.5, tt.want)
		})
	}
}

func TestFrameLiesOnItsCanvas(t *testing.T) {
	t.Parallel()
	frame := image.NewPaletted(image.Rect(20, 20, 40, 40), color.Palette{red})
	set := make1(t, gifFile(t, &gif.GIF{
		Image: []*image.Paletted{frame}, Delay: []int{0}, Config: image.Config{Width: 40, Height: 60},
	}))
	if set.Width != 40 || set.Height != 60 {
		t.Errorf("got %d x %d want 40 x 60", set.Width, set.Height)
	}
	img := pixels(t, set.Medium)
	looks(t, img, 0.75, 0.5, red)
	looks(t, img, 0.25, 0.5, none)
	looks(t, img, 0.75, 0.9, none)
}

func TestRefused(t *testing.T) {
	t.Parallel()
	photo := jpegFile(t, quarters(64, 64))
	still := pngFile(t, quarters(64, 64))
	moving := gifFile(t, &gif.GIF{Image: []*image.Paletted{plain(20, 20, red)}, Delay: []int{0}})
	absurd := bytes.Clone(moving)
	descriptor := bytes.LastIndex(absurd, []byte{0x2c, 0, 0, 0, 0, 20, 0, 20, 0})
	copy(absurd[descriptor+5:], []byte{0xff, 0xff, 0xff, 0xff})
	tests := []struct {
		name, want string
		file       []byte
	}{
		{"nothing", "upload a JPEG", nil},
		{"SVG", "upload a JPEG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)},
		{"HTML", "upload a JPEG", []byte("<!doctype html><script>alert(1)</script>")},
		{"HTML that begins as JPEG", "damaged", []byte("\xff\xd8\xff<!doctype html><script>alert(1)</script>")},
		{"zip", "upload a JPEG", []byte("PK\x03\x04")},
		{"too many bytes", "larger than 10 MB", append(bytes.Clone(photo), make([]byte, picture.MaxBytes)...)},
		{"cut JPEG", "damaged", photo[:len(photo)/2]},
		{"cut progressive JPEG", "damaged", rawJPEG(512, 512, 0xc2, 1, scan(1, 0, 0, 4))},
		{"CMYK without Adobe's word on it", "damaged", bytes.Replace(rawJPEG(16, 16, 0xc0, 4, scan(4, 0, 63, 32)), []byte("Adobe"), []byte("Abode"), 1)},
		{"cut PNG", "damaged", still[:len(still)/2]},
		{"PNG without its end", "damaged", still[:len(still)-12]},
		{"PNG with a wrong sum", "damaged", bytes.Replace(still, []byte("IDAT"), []byte("IDAU"), 1)},
		{"cut GIF", "damaged", moving[:descriptor+12]},
		{"GIF without a frame", "damaged", append(bytes.Clone(moving[:descriptor]), 0x3b)},
		{"GIF with a frame larger than itself", "damaged", absurd},
		{"cut WebP", "damaged", webpFile(lossy(20, 20))[:40]},
		{"WebP smaller than what is in it", "damaged", webpFile(webpHead(0, 20, 20), lossless(16000, 16000, red))},
		{"animated WebP", "animation", webpFile(webpHead(2, 20, 20), riffChunk("ANIM", make([]byte, 6)), riffChunk("ANMF", append(make([]byte, 16), lossless(20, 20, red)...)))},
		{"too narrow", "each side must have 16 to 10000", pngFile(t, plain(15, 16, red))},
		{"too low", "each side must have 16 to 10000", pngFile(t, plain(16, 15, red))},
		{"too wide", "each side must have 16 to 10000", webpFile(lossless(10001, 16, red))},
		{"too high", "each side must have 16 to 10000", webpFile(lossless(16, 10001, red))},
		{"PNG bomb by its sides", "each side must have", rawPNG(1<<20, 1<<20, 0, nil)},
		{"WebP bomb by its area", "at most 40 million", webpFile(lossless(6325, 6325, red))},
		{"PNG bomb by its stream", "damaged", bytes.Replace(rawPNG(16, 16, 0, nil), pngChunk("IDAT", deflated(strings.NewReader(""))),
			pngChunk("IDAT", deflated(io.LimitReader(zeros{}, 1<<20))), 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := picture.New(1).Make(t.Context(), bytes.NewReader(tt.file))
			if !errors.Is(err, fault.Invalid) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v want fault.Invalid with %q", err, tt.want)
			}
		})
	}
}

func TestReaderErrorIsNotTheCreatorsFault(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	_, err := picture.New(1).Make(t.Context(), io.MultiReader(strings.NewReader("\xff\xd8\xff"), errReader{broken}))
	if !errors.Is(err, broken) || errors.Is(err, fault.Invalid) {
		t.Errorf("got %v want %v, of no kind", err, broken)
	}
}

type errReader struct{ error }

func (r errReader) Read([]byte) (int, error) { return 0, r.error }

func TestMetadataStaysBehind(t *testing.T) {
	t.Parallel()
	const place = "52.5163 N 13.3777 E"
	note := exif(binary.LittleEndian, 1)
	files := map[string][]byte{
		"JPEG": withSegment(withSegment(jpegFile(t, quarters(64, 64)), exifSegment(append(note, place...))), segment(0xfe, []byte(place)...)),
		"PNG":  afterHead(pngFile(t, plain(64, 64, color.NRGBA{1, 2, 3, 4})), pngChunk("eXIf", append(note, place...)), pngChunk("tEXt", []byte("Comment\x00"+place))),
	}
	for name, file := range files {
		set := make1(t, file)
		for _, thumb := range []picture.Thumb{set.Medium, set.Large} {
			for _, secret := range []string{place, "Exif", "eXIf", "tEXt"} {
				if bytes.Contains(thumb.Data, []byte(secret)) {
					t.Errorf("%s: %q went into the thumbnail", name, secret)
				}
			}
		}
	}
}

func ExampleMaker_Make() {
	_, err := picture.New(2).Make(context.Background(), strings.NewReader("<svg/>"))
	fmt.Println(err)
	// Output: the file is no picture that can be shown: upload a JPEG, PNG, GIF or WebP file
}

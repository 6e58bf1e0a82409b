package picture_test

import (
	"encoding/binary"
	"image"
	"image/color"
	"testing"
)

// turned is what is seen of quarters: above from the left, then below.
var turned = map[uint16][4]color.NRGBA{
	1: {red, green, blue, gray},
	2: {green, red, gray, blue},
	3: {gray, blue, green, red},
	4: {blue, gray, red, green},
	5: {red, blue, green, gray},
	6: {blue, red, gray, green},
	7: {gray, green, blue, red},
	8: {green, gray, red, blue},
}

func TestOrientationIsApplied(t *testing.T) {
	t.Parallel()
	photo := jpegFile(t, quarters(80, 40))
	for o, want := range turned {
		order := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}[o%2]
		set := make1(t, withSegment(photo, exifSegment(exif(order, o))))
		size := image.Pt(80, 40)
		if o >= 5 {
			size = image.Pt(40, 80)
		}
		if got := image.Pt(set.Width, set.Height); got != size {
			t.Errorf("orientation %d: got %v want %v", o, got, size)
		}
		img := pixels(t, set.Medium)
		for i, c := range want {
			looks(t, img, 0.25+0.5*float64(i%2), 0.25+0.5*float64(i/2), c)
		}
	}
}

func TestTurnedThumbnailFits(t *testing.T) {
	t.Parallel()
	set := make1(t, withSegment(jpegFile(t, quarters(1400, 70)), exifSegment(exif(binary.BigEndian, 8))))
	if got, want := image.Pt(set.Medium.Width, set.Medium.Height), image.Pt(32, 640); got != want {
		t.Errorf("got medium %v want %v", got, want)
	}
	if got, want := image.Pt(set.Large.Width, set.Large.Height), image.Pt(64, 1280); got != want {
		t.Errorf("got large %v want %v", got, want)
	}
	looks(t, pixels(t, set.Large), 0.25, 0.25, green)
}

func TestOrientationOfOtherForms(t *testing.T) {
	t.Parallel()
	note := exif(binary.BigEndian, 6)
	files := map[string][]byte{
		"PNG":                          afterHead(pngFile(t, plain(40, 20, red)), pngChunk("eXIf", note)),
		"WebP":                         webpFile(webpHead(8, 40, 20), lossless(40, 20, red), riffChunk("EXIF", note)),
		"WebP behind an odd chunk":     webpFile(webpHead(8, 40, 20), lossy(40, 20), riffChunk("EXIF", note)),
		"WebP, begun as in JPEG files": webpFile(webpHead(8, 40, 20), lossy(40, 20), riffChunk("EXIF", append([]byte("Exif\x00\x00"), note...))),
	}
	for name, file := range files {
		if set := make1(t, file); set.Width != 20 || set.Height != 40 {
			t.Errorf("%s: got %d x %d want 20 x 40", name, set.Width, set.Height)
		}
	}
}

func TestUnreadableOrientationIsUpright(t *testing.T) {
	t.Parallel()
	photo := jpegFile(t, quarters(40, 20))
	loop := exif(binary.LittleEndian, 1)
	copy(loop[len(loop)-4:], []byte{8, 0, 0, 0}) // the next directory is the first
	notes := map[string][]byte{
		"nonsense":            []byte("nonsense"),
		"nothing":             nil,
		"cut":                 exif(binary.BigEndian, 6)[:12],
		"no such orientation": exif(binary.BigEndian, 9),
		"zero":                exif(binary.BigEndian, 0),
		"directory far away":  append([]byte("II*\x00\xff\xff\xff\xff"), 1, 0),
		"directories in ring": loop,
	}
	for name, note := range notes {
		if set := make1(t, withSegment(photo, exifSegment(note))); set.Width != 40 || set.Height != 20 {
			t.Errorf("%s: got %d x %d want 40 x 20", name, set.Width, set.Height)
		}
	}
}

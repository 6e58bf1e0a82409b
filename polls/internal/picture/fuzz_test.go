package picture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/gif"
	"testing"

	_ "golang.org/x/image/webp"

	"stoa/internal/fault"
	"stoa/polls/internal/picture"
)

func FuzzMake(f *testing.F) {
	photo := jpegFile(f, quarters(20, 20))
	f.Add(photo)
	f.Add(withSegment(photo, exifSegment(exif(binary.LittleEndian, 6))))
	f.Add(rawJPEG(16, 16, 0xc2, 1, scan(1, 0, 0, 4)))
	f.Add(rawJPEG(16, 16, 0xc0, 4, scan(4, 0, 63, 32)))
	f.Add(afterHead(pngFile(f, quarters(20, 20)), pngChunk("eXIf", exif(binary.BigEndian, 8))))
	f.Add(pngFile(f, plain(20, 20, none)))
	f.Add(rawPNG(16, 16, 1, make([]byte, 16*16+2+2+2+4+4+8+8)))
	f.Add(gifFile(f, &gif.GIF{Image: []*image.Paletted{plain(20, 20, red)}, Delay: []int{0}}))
	f.Add(webpFile(webpHead(8, 20, 20), lossless(20, 20, red), riffChunk("EXIF", exif(binary.BigEndian, 5))))
	f.Add(webpFile(webpHead(16, 20, 20), riffChunk("ALPH", make([]byte, 1+20*20)), lossy(20, 20)))
	m := picture.New(1)
	f.Fuzz(func(t *testing.T, file []byte) {
		if c, _, err := image.DecodeConfig(bytes.NewReader(file)); err == nil && c.Width*c.Height > 1<<20 {
			t.Skip("large files are slow, and no different")
		}
		set, err := m.Make(t.Context(), bytes.NewReader(file))
		switch {
		case errors.Is(err, fault.Invalid):
		case err != nil:
			t.Fatalf("got %v want fault.Invalid or nothing", err)
		case set.Large.Width > picture.LargeSide || set.Large.Height > picture.LargeSide:
			t.Errorf("got large %d x %d", set.Large.Width, set.Large.Height)
		default:
			pixels(t, set.Medium)
			pixels(t, set.Large)
		}
	})
}

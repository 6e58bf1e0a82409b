package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"time"

	"golang.org/x/image/webp"

	"stoa/internal/fault"
)

// format is one kind of file that is accepted. Decoders are called by name and
// not through the image package, where any package may add one.
type format struct {
	name        string
	magic       string // how it begins; '?' is any byte
	config      func(io.Reader) (image.Config, error)
	decode      func(io.Reader) (image.Image, error)
	orientation func([]byte) orientation
}

// A GIF gives its first frame: that is all gif.Decode reads. It has no EXIF.
var formats = []format{
	{"JPEG", "\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode, ofJPEG},
	{"PNG", "\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode, ofPNG},
	{"GIF", "GIF8?a", gif.DecodeConfig, gif.Decode, ofNothing},
	{"WebP", "RIFF????WEBP", webp.DecodeConfig, webp.Decode, ofWebP},
}

// file is an upload of a known format whose sides are within bounds.
type file struct {
	format
	data          []byte
	width, height int // as stored, before it is turned
}

func open(r io.Reader) (*file, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read picture: %w", err)
	case len(data) > MaxBytes:
		return nil, fault.New(fault.Invalid, "the picture is larger than %d MB: upload a smaller one", MaxBytes>>20)
	}
	f, ok := formatOf(data)
	switch {
	case !ok:
		return nil, fault.New(fault.Invalid, "the file is no picture that can be shown: upload a JPEG, PNG, GIF or WebP file")
	case animatedWebP(data):
		return nil, fault.New(fault.Invalid, "the WebP file is an animation: upload a still picture or a GIF")
	}
	c, err := f.config(bytes.NewReader(data))
	if err != nil {
		return nil, f.damaged()
	}
	if err := checkSides(c.Width, c.Height); err != nil {
		return nil, err
	}
	return &file{f, data, c.Width, c.Height}, nil
}

func formatOf(data []byte) (format, bool) {
	for _, f := range formats {
		if begins(data, f.magic) {
			return f, true
		}
	}
	return format{}, false
}

func begins(data []byte, magic string) bool {
	if len(data) < len(magic) {
		return false
	}
	for i := range magic {
		if magic[i] != '?' && magic[i] != data[i] {
			return false
		}
	}
	return true
}

// animatedWebP says so before the decoder would call such a file damaged.
func animatedWebP(data []byte) bool {
	const animation = 1 << 1
	return begins(data, "RIFF????WEBPVP8X?????") && data[20]&animation != 0
}

func checkSides(w, h int) error {
	switch {
	case min(w, h) < MinSide || max(w, h) > MaxSide:
		return fault.New(fault.Invalid, "the picture has %d x %d pixels: each side must have %d to %d", w, h, MinSide, MaxSide)
	case w*h > MaxArea:
		return fault.New(fault.Invalid, "the picture has %d x %d pixels: at most %d million in all are taken", w, h, MaxArea/1_000_000)
	}
	return nil
}

func (f format) damaged() error {
	return fault.New(fault.Invalid, "the %s file is damaged, cut short or of a rare kind: save it as a plain JPEG or PNG and upload it again", f.name)
}

// pixels decodes the file. No decoder can be stopped, but all ask for bytes as
// they go: when the time is over they get none.
func (f *file) pixels(ctx context.Context, limit time.Duration) (image.Image, error) {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	data := bytes.NewReader(f.data)
	img, err := f.decode(readFunc(func(p []byte) (int, error) {
		if err := limited.Err(); err != nil {
			return 0, err
		}
		return data.Read(p)
	}))
	switch {
	case err == nil:
		return img, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("decode picture: %w", ctx.Err())
	case limited.Err() != nil:
		return nil, fault.New(fault.Invalid, "the %s file takes too long to read: save it as a plain JPEG or PNG and upload it again", f.name)
	}
	return nil, f.damaged()
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

package picture

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/image/webp"

	"stoa/video/internal/problem"
)

// format reads one type of file. Decoders are called by name and not through the
// image package, where any package may add one.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"image/png":  {png.DecodeConfig, png.Decode},
	"image/webp": {webp.DecodeConfig, webp.Decode},
}

// upload is a file of a known type whose sides are within bounds.
type upload struct {
	contentType   string
	file          []byte
	width, height int
}

// open looks at a file without decoding it.
func open(file []byte, within bounds, types ...string) (*upload, error) {
	contentType := http.DetectContentType(file)
	if !slices.Contains(types, contentType) {
		return nil, problem.FileExtension.WithDetail("Send a picture of type %s.", strings.Join(types, ", "))
	}
	config, err := formats[contentType].config(bytes.NewReader(file))
	if err != nil {
		return nil, damaged
	}
	if err := within.check(config.Width, config.Height); err != nil {
		return nil, err
	}
	return &upload{contentType, file, config.Width, config.Height}, nil
}

var damaged = problem.FileInvalid.WithDetail("The picture is damaged or of a rare kind: save it as a plain JPEG or PNG and send that.")

// decode reads the pixels. No decoder can be stopped, but all ask for bytes as they
// go: when the time is over they get none.
func (u *upload) decode(ctx context.Context) (image.Image, error) {
	limited, cancel := context.WithTimeout(ctx, decodeTime)
	defer cancel()
	img, err := formats[u.contentType].decode(timed{limited.Err, bytes.NewReader(u.file)})
	switch {
	case err == nil:
		return img, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("decode picture: %w", ctx.Err())
	case limited.Err() != nil:
		return nil, problem.FileInvalid.WithDetail("The picture takes too long to read: save it as a plain JPEG or PNG and send that.")
	}
	return nil, damaged
}

// timed reads until it is over.
type timed struct {
	over func() error
	from io.Reader
}

func (t timed) Read(p []byte) (int, error) {
	if err := t.over(); err != nil {
		return 0, err
	}
	return t.from.Read(p)
}

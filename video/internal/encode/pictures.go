package encode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// The pictures of the storyboard are so wide; narrower if they would be higher than
// this. Sheets of many of them have to fit in memory, and in a JPEG.
const (
	pictureWidth     = 160
	maxPictureHeight = 640
)

// maxPicture bounds a picture of the storyboard: far more than its points need.
const maxPicture = 8 << 20

// boardPicture is the filter that makes a picture of the storyboard of one of a size.
func boardPicture(of Rendition) string {
	wide, high := float64(max(1, of.Width)), float64(max(1, of.Height))
	scale := min(pictureWidth/wide, maxPictureHeight/high)
	return fmt.Sprintf("scale=%d:%d:flags=bicubic:out_range=pc,format=yuvj420p", even(wide*scale), even(high*scale))
}

// readPictures reads a stream of JPEG pictures with a head of text before each,
// and gives them out one at a time.
func readPictures(r io.Reader, give func(jpeg []byte) error) error {
	lines := textproto.NewReader(bufio.NewReader(r))
	for {
		line, err := lines.ReadLine()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("encoder's pictures: %w", err)
		case line == "":
			continue // the end of the picture before
		}
		head, err := lines.ReadMIMEHeader()
		switch {
		case errors.Is(err, io.EOF) && len(head) == 0:
			return nil // a line stands after the last picture as well
		case err != nil:
			return fmt.Errorf("encoder's pictures: %w", err)
		}
		size, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil || size < 0 || size > maxPicture {
			return fmt.Errorf("encoder's pictures: one of %.20q bytes", head.Get("Content-Length"))
		}
		jpeg, err := readAll(lines.R, size, nil)
		if err != nil {
			return fmt.Errorf("encoder's pictures: %w", io.ErrUnexpectedEOF)
		}
		if err := give(jpeg); err != nil {
			return err
		}
	}
}

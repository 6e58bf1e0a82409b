package encode

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
)

// maxPicture bounds a picture of the storyboard: far more than 160 points of
// width need, whatever the height.
const maxPicture = 8 << 20

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

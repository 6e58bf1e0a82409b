package encode

import (
	"errors"
	"fmt"
)

var errCodec = errors.New("encoder's output: no H.264 or AAC in its head")

// codec names what a track holds as playlists do: "avc1.64001f", "mp4a.40.2".
func codec(init []byte) (string, error) {
	stsd, ok := find(init, "moov", "trak", "mdia", "minf", "stbl", "stsd")
	if !ok || len(stsd.body()) < 8 {
		return "", errCodec
	}
	for entry := range boxes(stsd.body()[8:]) {
		switch body := entry.body(); {
		case entry.kind == "mp4a":
			return "mp4a.40.2", nil // AAC-LC, the only one that we make
		case entry.kind == "avc1" && len(body) > 78: // the fields of every picture come first
			if avcC, ok := find(body[78:], "avcC"); ok && len(avcC.body()) >= 4 {
				return fmt.Sprintf("avc1.%x", avcC.body()[1:4]), nil
			}
		}
	}
	return "", errCodec
}

package srt

import (
	"net/url"
	"strings"

	"stoa/video/internal/porter"
)

// streamKey finds the key of the stream in a stream id: all of it, or the resource in
// the form that SRT proposes, "#!::r=KEY,m=publish". ffmpeg sends what stands in its
// address as it stands there, with escapes.
func streamKey(id string) (string, error) {
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	key, mode := id, "publish"
	if fields, ok := strings.CutPrefix(id, "#!::"); ok {
		key = ""
		for field := range strings.SplitSeq(fields, ",") {
			switch name, value, _ := strings.Cut(field, "="); strings.TrimSpace(name) {
			case "r":
				key = value
			case "m":
				mode = strings.TrimSpace(value)
			}
		}
	}
	key = strings.TrimSpace(key)
	switch {
	case mode == "request":
		return "", errMode
	case mode != "publish" && mode != "bidirectional":
		return "", errStreamID
	case !porter.IsKey(key):
		return "", errStreamID
	}
	return key, nil
}

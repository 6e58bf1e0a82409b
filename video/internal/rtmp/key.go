package rtmp

import (
	"errors"
	"strings"

	"stoa/video/internal/porter"
)

// application is the first part of every address: rtmp://host/s.
const application = "s"

var errAddress = errors.New("publish to rtmp://host/s with the key of the live stream as stream key")

// key finds the key of the stream in what the encoder has made of its address: the name
// of the stream, or the end of the path, or both, with slashes and a query anywhere.
func (r request) key() (string, error) {
	var parts []string
	for _, text := range []string{r.app, r.name} {
		text, _, _ = strings.Cut(text, "?")
		for part := range strings.SplitSeq(text, "/") {
			if part = strings.TrimSpace(part); part != "" && len(parts) < 4 {
				parts = append(parts, part)
			}
		}
	}
	if len(parts) < 2 || len(parts) > 3 || parts[0] != application || parts[len(parts)-1] != parts[1] || !porter.IsKey(parts[1]) {
		return "", errAddress
	}
	return parts[1], nil
}

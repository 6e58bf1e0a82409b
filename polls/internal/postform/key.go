package postform

import (
	"fmt"
	"strings"
)

// extensions of the content types that forms are handed out for.
var extensions = map[string]string{
	"image/jpeg": "jpeg",
	"image/png":  "png",
	"image/gif":  "gif",
	"image/webp": "webp",
}

// Accepts tells whether a form may be handed out for a content type.
func Accepts(contentType string) bool { return extensions[contentType] != "" }

// ObjectKey names an uploaded original: 000/000/815/815-1-original-6c42da50e85ab41c.jpeg
// for poll 815. A poll id of more than nine digits gets further groups of
// three. The type must be one that is accepted.
func ObjectKey(pollID int64, sortOrder int, random [8]byte, contentType string) string {
	digits := fmt.Sprintf("%09d", pollID)
	for len(digits)%3 != 0 {
		digits = "0" + digits
	}
	var path strings.Builder
	for i := 0; i < len(digits); i += 3 {
		path.WriteString(digits[i:i+3] + "/")
	}
	return fmt.Sprintf("%s%d-%d-original-%x.%s", path.String(), pollID, sortOrder, random, extensions[contentType])
}

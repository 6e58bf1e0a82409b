package blob

import (
	"strings"

	"stoa/internal/fault"
)

const (
	maxKey         = 512
	maxSegment     = 255 // what file systems take
	maxContentType = 255
)

// DefaultContentType is that of objects put without one.
const DefaultContentType = "application/octet-stream"

// CheckKey refuses what is no key: at most 512 bytes of letters, digits, dots,
// underscores and hyphens, in segments with slashes between them. A segment has
// 1 to 255 bytes and is neither "." nor "..".
func CheckKey(key string) error {
	if len(key) > maxKey {
		return fault.New(fault.Invalid, "the object name is longer than %d bytes", maxKey)
	}
	for segment := range strings.SplitSeq(key, "/") {
		switch {
		case segment == "":
			return fault.New(fault.Invalid, "the object name %q has an empty part", key)
		case segment == "." || segment == "..":
			return fault.New(fault.Invalid, "the object name %q has a part %q", key, segment)
		case len(segment) > maxSegment:
			return fault.New(fault.Invalid, "the object name has a part longer than %d bytes", maxSegment)
		}
	}
	return checkLetters(key)
}

// CheckPrefix refuses what no key can begin with by its letters or its length.
func CheckPrefix(prefix string) error {
	if len(prefix) > maxKey {
		return fault.New(fault.Invalid, "the prefix is longer than %d bytes", maxKey)
	}
	return checkLetters(prefix)
}

// CheckPut is what a store asks before it takes an object: is this a key, and a
// type that fits a header? It gives the type to keep.
func CheckPut(key, contentType string) (string, error) {
	if err := CheckKey(key); err != nil {
		return "", err
	}
	if contentType == "" {
		return DefaultContentType, nil
	}
	if len(contentType) > maxContentType {
		return "", fault.New(fault.Invalid, "the content type is longer than %d bytes", maxContentType)
	}
	for _, c := range []byte(contentType) {
		if c < ' ' || c > '~' {
			return "", fault.New(fault.Invalid, "the content type %q has a letter that is not printable ASCII", contentType)
		}
	}
	if strings.TrimSpace(contentType) != contentType {
		return "", fault.New(fault.Invalid, "the content type %q begins or ends with a blank", contentType)
	}
	return contentType, nil
}

func checkLetters(name string) error {
	for _, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '.', c == '_', c == '-', c == '/':
		default:
			return fault.New(fault.Invalid, "the object name %q has %q: want letters a to z, digits, and any of . _ - /", name, c)
		}
	}
	return nil
}

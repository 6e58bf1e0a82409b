package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Tagged is JSON that is ready to be sent, under a name of its own.
type Tagged struct {
	body []byte
	tag  string
}

func NewTagged(body []byte) Tagged { return Tagged{body, Tag(body)} }

// Answer sends it, or says that the caller has it already.
func (t Tagged) Answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("ETag", t.tag)
	if asked := r.Header.Get("If-None-Match"); asked != "" && listed(asked, t.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	Encoded(w, http.StatusOK, t.body)
}

// Tag names some content as an ETag does, by what it says: any process and any release
// gives the same content the same name, and another content another one.
func Tag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

// listed tells whether an If-None-Match names a tag of ours. Proxies that compress make
// it a weak one.
func listed(asked, tag string) bool {
	for each := range strings.SplitSeq(asked, ",") {
		if each = strings.TrimSpace(each); each == "*" || strings.TrimPrefix(each, "W/") == tag {
			return true
		}
	}
	return false
}

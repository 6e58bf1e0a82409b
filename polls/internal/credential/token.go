package credential

import (
	"crypto/rand"
	"crypto/sha256"
	"strings"
)

const (
	tokenPrefix = "pt_"
	tokenSize   = 32 // random bytes
)

// NewToken makes an auth token: pt_ and 43 characters of base64url. Only its
// hash is stored.
func NewToken() string {
	var random [tokenSize]byte
	rand.Read(random[:])
	return tokenPrefix + encoding.EncodeToString(random[:])
}

// HashToken is the SHA-256 by which a token is stored and found. It is false
// for what NewToken cannot have made, which need not be looked up.
func HashToken(token string) (hash [sha256.Size]byte, ok bool) {
	random, found := strings.CutPrefix(token, tokenPrefix)
	if !found || !wellFormed(random) {
		return hash, false
	}
	return sha256.Sum256([]byte(token)), true
}

func wellFormed(s string) bool {
	if len(s) != encoding.EncodedLen(tokenSize) {
		return false
	}
	var buffer [tokenSize]byte
	n, err := encoding.Decode(buffer[:], []byte(s))
	return err == nil && n == tokenSize // line breaks are passed over, and leave less
}

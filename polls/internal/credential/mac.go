package credential

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"hash"
	"sync"
)

// mac is HMAC-SHA-256 over the environment's name, a NUL and a message.
type mac struct {
	environment []byte // with the NUL
	works       sync.Pool
}

// work is what one calculation needs, kept for the next one. The message is
// copied into it, for what is handed to a hash.Hash goes to the heap.
type work struct {
	hash    hash.Hash
	message []byte
	sum     [sha256.Size]byte
}

func newMAC(environment string, secret []byte) *mac {
	secret = bytes.Clone(secret)
	return &mac{
		environment: append([]byte(environment), 0),
		works:       sync.Pool{New: func() any { return &work{hash: hmac.New(sha256.New, secret)} }},
	}
}

// sum fills dst with as much of the hash as it has room for.
func (m *mac) sum(dst []byte, message ...[]byte) {
	w := m.works.Get().(*work)
	w.message = append(w.message[:0], m.environment...)
	for _, part := range message {
		w.message = append(w.message, part...)
	}
	w.hash.Reset()
	w.hash.Write(w.message)
	copy(dst, w.hash.Sum(w.sum[:0]))
	m.works.Put(w)
}

// Signed texts are base64url of a payload and 16 bytes of its mac.
const signature = 16

var encoding = base64.RawURLEncoding.Strict()

func (m *mac) sign(payload []byte) string {
	var sum [signature]byte
	m.sum(sum[:], payload)
	return encoding.EncodeToString(append(payload, sum[:]...))
}

// open fills the payload, whose length is known, when the signature is good.
func (m *mac) open(s string, payload []byte) bool {
	if len(s) != encoding.EncodedLen(len(payload)+signature) {
		return false
	}
	signed, err := encoding.DecodeString(s)
	if err != nil || len(signed) != len(payload)+signature {
		return false
	}
	copy(payload, signed)
	var sum [signature]byte
	m.sum(sum[:], payload)
	return subtle.ConstantTimeCompare(sum[:], signed[len(payload):]) == 1
}

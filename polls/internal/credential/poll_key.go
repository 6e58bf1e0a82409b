package credential

import (
	"crypto/subtle"
	"encoding/binary"
)

// PollKey opens a private poll: 22 characters of base64url. It is made from the
// poll's number, so that none is stored.
func (r *Keyring) PollKey(poll int64) string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(poll))
	var sum [16]byte
	r.poll.sum(sum[:], id[:])
	return encoding.EncodeToString(sum[:])
}

// OpensPoll tells whether a key is that of a poll.
func (r *Keyring) OpensPoll(poll int64, key string) bool {
	return subtle.ConstantTimeCompare([]byte(key), []byte(r.PollKey(poll))) == 1
}

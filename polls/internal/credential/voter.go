package credential

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
)

// Voter is what is stored of who votes: u and the id of an account, or a and 22
// letters that only the keyring can make from an anonymous id. It is no credential.
type Voter string

// AccountVoter is the voter with an account.
func AccountVoter(user int64) Voter { return Voter("u" + strconv.FormatInt(user, 10)) }

// AnonymousVoter is the voter with an anonymous id that was verified.
func (r *Keyring) AnonymousVoter(a Anonymous) Voter {
	var sum [16]byte
	r.voter.sum(sum[:], a[:])
	text := [23]byte{'a'}
	encoding.Encode(text[1:], sum[:])
	return Voter(text[:])
}

// Pseudonym stands for an anonymous voter in public: the same within a poll,
// another in every other poll, 60 hex digits as an id has them, but never
// accepted as one.
func (r *Keyring) Pseudonym(poll int64, v Voter) string {
	var id [8]byte
	binary.BigEndian.PutUint64(id[:], uint64(poll))
	var sum [len(Anonymous{})]byte
	r.pseudonym.sum(sum[:], id[:], []byte(v))
	return hex.EncodeToString(sum[:])
}

package credential

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"time"

	"stoa/polls/internal/text"
)

const (
	embedLifetime        = 24 * time.Hour
	confirmationLifetime = 3 * 24 * time.Hour
)

// A signed payload begins with the second at which it expires and the id of
// what it is about, eight bytes each.
const stampSize = 16

func stamp(payload []byte, expires time.Time, id int64) {
	binary.BigEndian.PutUint64(payload, uint64(expires.Unix()))
	binary.BigEndian.PutUint64(payload[8:], uint64(id))
}

func readStamp(payload []byte, now time.Time) (id int64, ok bool) {
	expires := int64(binary.BigEndian.Uint64(payload))
	return int64(binary.BigEndian.Uint64(payload[8:])), now.Unix() < expires
}

// EmbedToken lets a page that shows an embed record its views and votes for 24
// hours. It is of URL-safe characters.
func (r *Keyring) EmbedToken(embed int64, now time.Time) string {
	payload := make([]byte, stampSize, stampSize+signature)
	stamp(payload, now.Add(embedLifetime), embed)
	return r.embed.sign(payload)
}

// VerifyEmbed tells which embed a token is for.
func (r *Keyring) VerifyEmbed(token string, now time.Time) (embed int64, ok bool) {
	var payload [stampSize]byte
	if !r.embed.open(token, payload[:]) {
		return 0, false
	}
	if embed, ok = readStamp(payload[:], now); !ok {
		return 0, false
	}
	return embed, true
}

// Confirmation says that a user reads the mail of an address.
type Confirmation struct {
	User  int64
	email [emailHashSize]byte
}

const emailHashSize = 16

// ConfirmationToken is mailed to an address and comes back within 3 days. It is
// of URL-safe characters.
func (r *Keyring) ConfirmationToken(user int64, email string, now time.Time) string {
	payload := make([]byte, stampSize, stampSize+emailHashSize+signature)
	stamp(payload, now.Add(confirmationLifetime), user)
	hash := emailHash(email)
	return r.confirmation.sign(append(payload, hash[:]...))
}

// VerifyConfirmation tells what a token confirms. The caller still has to ask
// whether it is For the address that the user has now.
func (r *Keyring) VerifyConfirmation(token string, now time.Time) (Confirmation, bool) {
	var payload [stampSize + emailHashSize]byte
	if !r.confirmation.open(token, payload[:]) {
		return Confirmation{}, false
	}
	user, ok := readStamp(payload[:], now)
	if !ok {
		return Confirmation{}, false
	}
	return Confirmation{User: user, email: [emailHashSize]byte(payload[stampSize:])}, true
}

// For tells whether this is the address that was confirmed, whatever its case.
func (c Confirmation) For(email string) bool {
	hash := emailHash(email)
	return subtle.ConstantTimeCompare(c.email[:], hash[:]) == 1
}

func emailHash(email string) [emailHashSize]byte {
	sum := sha256.Sum256([]byte(text.Fold(email)))
	return [emailHashSize]byte(sum[:])
}

package credential

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"log/slog"
	"time"
)

// Anonymous is the id of a person without an account, and the proof of being
// that person:
//
//	1 byte    number of the key
//	3 bytes   day of issue, counted from 1970
//	12 bytes  random
//	14 bytes  mac of the above
//
// It does not expire, since a vote can be changed for ever. A whole key can be
// retired.
type Anonymous [30]byte

const anonymousSigned = 16 // bytes that the mac covers

// Mint makes a new id.
func (r *Keyring) Mint(now time.Time) Anonymous {
	var a Anonymous
	keys := r.anonymous.Load()
	day := now.Unix() / (24 * 60 * 60)
	a[0], a[1], a[2], a[3] = keys.minting, byte(day>>16), byte(day>>8), byte(day)
	rand.Read(a[4:anonymousSigned])
	keys.byNumber[keys.minting].sum(a[anonymousSigned:], a[:anonymousSigned])
	return a
}

// Verify reads an id and tells whether this environment made it, by a key that
// is not retired.
func (r *Keyring) Verify(s string) (Anonymous, bool) {
	a, ok := parseAnonymous(s)
	if !ok {
		return Anonymous{}, false
	}
	key := r.anonymous.Load().byNumber[a[0]]
	if key == nil {
		return Anonymous{}, false
	}
	var sum [len(a) - anonymousSigned]byte
	key.sum(sum[:], a[:anonymousSigned])
	if subtle.ConstantTimeCompare(sum[:], a[anonymousSigned:]) != 1 {
		return Anonymous{}, false
	}
	return a, true
}

// parseAnonymous takes lower case only: a person has one id, in one spelling.
func parseAnonymous(s string) (a Anonymous, ok bool) {
	if len(s) != hex.EncodedLen(len(a)) {
		return a, false
	}
	for i := range a {
		high, low := hexDigit(s[2*i]), hexDigit(s[2*i+1])
		if high > 15 || low > 15 {
			return a, false
		}
		a[i] = high<<4 | low
	}
	return a, true
}

// hexDigit is above 15 for what is none.
func hexDigit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	}
	return 255
}

// Reveal is the id as its owner gets it: 60 hex digits. It must reach nobody
// else.
func (a Anonymous) Reveal() string { return hex.EncodeToString(a[:]) }

// String keeps the id out of messages.
func (a Anonymous) String() string { return "anonymous id ***" }

// LogValue keeps the id out of logs.
func (a Anonymous) LogValue() slog.Value { return slog.StringValue(a.String()) }

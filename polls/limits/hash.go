package limits

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/netip"
)

// hasher writes values that tell nobody what they are made of. The same thing has
// the same value in every process of an environment, and another in another.
type hasher struct{ key [sha256.Size]byte }

// kind keeps things of different kinds apart.
type kind byte

const (
	ofAddress kind = iota + 1
	ofAccountVoter
	ofAnonymousVoter
	ofAccount
)

// hashBytes is how much of a hash is kept: two things meet by chance once there
// are 2^48 of them. The text has 16 letters.
const hashBytes = 12

func newHasher(secret []byte, domain string) hasher {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("limits " + domain))
	return hasher{key: [sha256.Size]byte(mac.Sum(nil))}
}

// sum hashes the key and a thing. Most of the hash is dropped, so nobody can go on
// from it to the hash of a longer thing, and the second round of an HMAC, half
// of its cost, is not needed.
func (h *hasher) sum(dst []byte, k kind, thing []byte) []byte {
	var space [128]byte
	hash := sha256.Sum256(append(append(append(space[:0], h.key[:]...), byte(k)), thing...))
	return base64.RawURLEncoding.AppendEncode(dst, hash[:hashBytes])
}

func (h *hasher) text(dst []byte, k kind, s string) []byte { return h.sum(dst, k, []byte(s)) }

func (h *hasher) number(dst []byte, k kind, n int64) []byte {
	return h.sum(dst, k, binary.BigEndian.AppendUint64(make([]byte, 0, 8), uint64(n)))
}

func (h *hasher) address(dst []byte, a netip.Addr) []byte {
	bytes := a.As16() // of no address, as of ::
	return h.sum(dst, ofAddress, bytes[:])
}

// Network is the part of an address that one client has: an IPv4 address, the /64
// of an IPv6 one. Whatever is bounded per address is counted by it.
func Network(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	if a.Is6() {
		prefix, _ := a.Prefix(64) // no error: 64 fits
		a = prefix.Addr()
	}
	return a
}

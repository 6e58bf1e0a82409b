package credential

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
)

// Keyring signs and checks for one environment. It may be used by many
// goroutines.
type Keyring struct {
	environment string
	anonymous   atomic.Pointer[anonymousKeys]

	voter, pseudonym, embed, confirmation, upload, limit, poll *mac
}

// NewKeyring takes all keys of an environment, retired ones too. Ask [Missing]
// first: every purpose must have a key.
func NewKeyring(environment string, keys []Key) (*Keyring, error) {
	if environment == "" || strings.Contains(environment, "\x00") {
		return nil, errors.New("keyring: the environment needs a name without NUL")
	}
	r := &Keyring{environment: environment}
	r.anonymous.Store(&anonymousKeys{})
	for _, k := range keys {
		if err := r.add(k); err != nil {
			return nil, fmt.Errorf("keyring of %s: key %d for %s: %w", environment, k.Number, k.Purpose, err)
		}
	}
	if err := r.Renew(keys); err != nil {
		return nil, err
	}
	if r.voter == nil || r.pseudonym == nil || r.embed == nil ||
		r.confirmation == nil || r.upload == nil || r.limit == nil || r.poll == nil {
		return nil, fmt.Errorf("keyring of %s: a key is missing", environment)
	}
	return r, nil
}

// add takes a key; those of anonymous ids are left to Renew.
func (r *Keyring) add(k Key) error {
	if len(k.Secret) != keySize {
		return fmt.Errorf("got %d bytes, want %d", len(k.Secret), keySize)
	}
	if k.Purpose == AnonymousIDs {
		return nil
	}
	m := newMAC(r.environment, k.Secret)
	if k.Retired {
		return errors.New("retired, which this purpose cannot be")
	}
	switch k.Purpose {
	case VoterKeys:
		return once(&r.voter, m)
	case Pseudonyms:
		return once(&r.pseudonym, m)
	case EmbedTokens:
		return once(&r.embed, m)
	case Confirmations:
		return once(&r.confirmation, m)
	case LimitKeys:
		return once(&r.limit, m)
	case PollKeys:
		return once(&r.poll, m)
	case UploadPolicies:
		return once(&r.upload, m)
	}
	return nil // of a later version of the program, which may run beside this one
}

func once(place **mac, m *mac) error {
	if *place != nil {
		return errors.New("there are two of them")
	}
	*place = m
	return nil
}

// UploadKey is the access key id and the secret that upload policies are signed
// with. Their form, that of object storage, has no place for an environment's
// name; so the pair is derived from it.
func (r *Keyring) UploadKey() (id, secret string) {
	var i [10]byte
	var s [20]byte
	r.upload.sum(i[:], []byte("access key id"))
	r.upload.sum(s[:], []byte("secret"))
	return strings.ToUpper(hex.EncodeToString(i[:])), hex.EncodeToString(s[:])
}

// LimitSecret hashes names and addresses where hits are counted, which is outside
// the database and must not hold them in clear.
func (r *Keyring) LimitSecret() []byte {
	var sum [32]byte
	r.limit.sum(sum[:], []byte("secret"))
	return sum[:]
}

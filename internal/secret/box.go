// Package secret keeps the secrets of the service unreadable in its database and
// backups.
//
// A [Box] seals them with a key that is derived from one text, the setting
// STOA_SECRET or else the file that [FileKey] makes. All processes on a database
// must have the same text; [Box.Check] is stored beside the secrets, so that one
// with another text can be told before it does harm.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// minText is in characters. The text is stretched by nothing, so it should be
// random: 16 characters only stop what is plainly too little.
const minText = 16

// Box seals and opens with AES-256-GCM. It may be used by many goroutines.
type Box struct {
	aead  cipher.AEAD
	check string
}

// New derives the key from a text; white space at its ends does not count.
func New(text string) (*Box, error) {
	text = strings.TrimSpace(text)
	if n := utf8.RuneCountInString(text); n < minText {
		return nil, fmt.Errorf("the secret has %d characters: want at least %d, for instance from `openssl rand -base64 32`", n, minText)
	}
	pseudorandom, err := hkdf.Extract(sha256.New, []byte(text), nil)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	key, err := hkdf.Expand(sha256.New, pseudorandom, "stoa: seal", 32)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	check, err := hkdf.Expand(sha256.New, pseudorandom, "stoa: check", 16)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("derive key: %w", err)
	}
	return &Box{aead, hex.EncodeToString(check)}, nil
}

// form begins what is sealed, should there ever be another.
const form = 1

// Seal makes plain unreadable. It can be opened for the same purpose only, so
// that a stored secret cannot be put in another's place.
func (b *Box) Seal(purpose string, plain []byte) []byte {
	return b.aead.Seal([]byte{form}, nil, plain, []byte(purpose))
}

var errSealed = errors.New("sealed with another key, for another purpose, or damaged")

// Open is the reverse of Seal.
func (b *Box) Open(purpose string, sealed []byte) ([]byte, error) {
	if len(sealed) == 0 || sealed[0] != form {
		return nil, fmt.Errorf("open secret %q: %w", purpose, errSealed)
	}
	plain, err := b.aead.Open(nil, nil, sealed[1:], []byte(purpose))
	if err != nil {
		return nil, fmt.Errorf("open secret %q: %w", purpose, errSealed)
	}
	return plain, nil
}

// Check is the same for the same text, and tells nothing of it.
func (b *Box) Check() string { return b.check }

// ErrOtherKey refuses a process whose key is not that of the database.
var ErrOtherKey = errors.New("the database was made with another STOA_SECRET: give this process the same one, or the same secret file")

// Accept compares with the Check that is stored, and is ErrOtherKey or nil.
func (b *Box) Accept(stored string) error {
	if subtle.ConstantTimeCompare([]byte(stored), []byte(b.check)) != 1 {
		return ErrOtherKey
	}
	return nil
}

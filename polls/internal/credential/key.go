package credential

import (
	"crypto/rand"
	"errors"
)

// Purpose is what a key is for. Each has its own, so that one that leaks opens
// nothing else.
type Purpose string

const (
	AnonymousIDs   Purpose = "anonymous_id" // the only purpose with several keys
	VoterKeys      Purpose = "voter"        // never changes: votes are found by it
	Pseudonyms     Purpose = "pseudonym"
	EmbedTokens    Purpose = "embed_token"
	Confirmations  Purpose = "confirmation"
	UploadPolicies Purpose = "upload_policy"
	LimitKeys      Purpose = "limit"
	PollKeys       Purpose = "poll_key"
)

var purposes = []Purpose{AnonymousIDs, VoterKeys, Pseudonyms, EmbedTokens, Confirmations, UploadPolicies, LimitKeys, PollKeys}

// Key is one secret of an environment, as the database keeps it.
type Key struct {
	Purpose Purpose
	Number  int    // from 1
	Secret  []byte // 32 random bytes
	Retired bool   // what it signed is refused; for AnonymousIDs only
}

const keySize = 32

// Missing makes the keys that are not among those an environment has: all for a
// fresh one, those for purposes that came later, and a next one where all are retired.
func Missing(have []Key) []Key {
	var fresh []Key
	for _, p := range purposes {
		last, live := 0, false
		for _, k := range have {
			if k.Purpose == p {
				last, live = max(last, k.Number), live || !k.Retired
			}
		}
		if !live {
			fresh = append(fresh, newKey(p, last+1))
		}
	}
	return fresh
}

// Next makes one more key for anonymous ids, beside those that an environment has.
func Next(have []Key) (Key, error) {
	last := 0
	for _, k := range have {
		if k.Purpose == AnonymousIDs {
			last = max(last, k.Number)
		}
	}
	if last == maxNumber {
		return Key{}, errors.New("all numbers of keys are used up")
	}
	return newKey(AnonymousIDs, last+1), nil
}

func newKey(p Purpose, number int) Key {
	k := Key{Purpose: p, Number: number, Secret: make([]byte, keySize)}
	rand.Read(k.Secret)
	return k
}

package credential

import (
	"errors"
	"fmt"
)

// anonymousKeys are those that anonymous ids are signed with, never changed.
type anonymousKeys struct {
	byNumber [maxNumber + 1]*mac // nil for unknown and retired ones
	newest   byte                // number
	looks    int                 // that found it
	minting  byte                // the number that new ids get: of the newest, or of the one before
}

// knownEverywhere is after how many looks a new key is known to other processes too,
// which look as often.
const knownEverywhere = 3

// maxNumber fits in the byte that an id has for it.
const maxNumber = 255

// Renew takes over which keys anonymous ids have; the others of the keyring stay as
// they are. It is called again and again: a new key signs ids only when others, who are
// asked about them, know it as well.
func (r *Keyring) Renew(keys []Key) error {
	old, next := r.anonymous.Load(), &anonymousKeys{}
	for _, k := range keys {
		if k.Purpose != AnonymousIDs {
			continue
		}
		if err := next.add(k, old, r.environment); err != nil {
			return fmt.Errorf("keyring of %s: key %d for %s: %w", r.environment, k.Number, k.Purpose, err)
		}
	}
	if next.newest == 0 {
		return fmt.Errorf("keyring of %s: a key is missing", r.environment)
	}
	next.minting, next.looks = next.newest, 1
	if next.newest == old.newest {
		next.looks += old.looks
	}
	if next.looks < knownEverywhere && next.byNumber[old.minting] != nil {
		next.minting = old.minting
	}
	r.anonymous.Store(next)
	return nil
}

func (a *anonymousKeys) add(k Key, old *anonymousKeys, environment string) error {
	switch {
	case k.Number < 1 || k.Number > maxNumber:
		return fmt.Errorf("want a number from 1 to %d", maxNumber)
	case k.Retired:
		return nil
	case a.byNumber[k.Number] != nil:
		return errors.New("there are two of them")
	}
	m := old.byNumber[k.Number] // a number has one secret for ever
	if m == nil {
		m = newMAC(environment, k.Secret)
	}
	a.byNumber[k.Number] = m
	a.newest = max(a.newest, byte(k.Number))
	return nil
}

package credential_test

import (
	"slices"
	"strings"
	"testing"

	"stoa/polls/internal/credential"
)

func TestKeysOfAnonymousIDsAreRenewed(t *testing.T) {
	t.Parallel()
	r, keys := staging(t), knownKeys()
	old := r.Mint(noon).Reveal()
	mints := func(prefix string) {
		t.Helper()
		id := r.Mint(noon).Reveal()
		if _, good := r.Verify(id); !strings.HasPrefix(id, prefix) || !good {
			t.Errorf("got %s, good %v; want a good one of key %s", id, good, prefix)
		}
	}
	renew := func() {
		t.Helper()
		if err := r.Renew(keys); err != nil {
			t.Fatal(err)
		}
	}
	next, err := credential.Next(keys)
	if err != nil {
		t.Fatal(err)
	}
	keys = append(keys, next)
	for range 2 {
		renew()
		mints("01") // others may not know the new one yet
	}
	if _, good := keyring(t, "staging", keys).Verify(old); !good {
		t.Error("got an id of the older key refused")
	}
	renew()
	mints("02")
	if _, good := r.Verify(old); !good {
		t.Error("got an id of the older key refused")
	}
	first := slices.IndexFunc(keys, func(k credential.Key) bool { return k.Purpose == credential.AnonymousIDs })
	keys[first].Retired = true
	renew()
	mints("02")
	if _, good := r.Verify(old); good {
		t.Error("got an id of the retired key accepted")
	}
}

// The key that signs new ids is retired, and its successor is one that came with it.
func TestNewKeySignsAtOnceWhenThereIsNoOther(t *testing.T) {
	t.Parallel()
	r, keys := staging(t), knownKeys()
	next, err := credential.Next(keys)
	if err != nil {
		t.Fatal(err)
	}
	first := slices.IndexFunc(keys, func(k credential.Key) bool { return k.Purpose == credential.AnonymousIDs })
	keys[first].Retired = true
	if err := r.Renew(keys); err == nil || !strings.Contains(err.Error(), "a key is missing") {
		t.Errorf("got %v want no ring without a key", err)
	}
	if err := r.Renew(append(keys, next)); err != nil {
		t.Fatal(err)
	}
	if got := r.Mint(noon).Reveal(); !strings.HasPrefix(got, "02") {
		t.Errorf("got %s want one of key 2", got)
	}
}

func TestKeysRunOut(t *testing.T) {
	t.Parallel()
	keys := append(knownKeys(), credential.Key{Purpose: credential.AnonymousIDs, Number: 255, Secret: make([]byte, 32)})
	if k, err := credential.Next(keys); err == nil {
		t.Errorf("got key %d want none after 255", k.Number)
	}
}

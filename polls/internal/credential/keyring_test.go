package credential_test

import (
	"bytes"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/polls/internal/credential"
)

// noon is the moment of the vectors in these tests.
var noon = time.Unix(1760702400, 0) // 2025-10-17 12:00 UTC

// knownKeys have secrets of one repeated byte. What is expected of them was
// calculated by openssl, as for the anonymous id:
//
//	(printf 'staging\0'; printf <16 bytes>) | openssl dgst -sha256 -mac HMAC -macopt hexkey:a1a1…
func knownKeys() []credential.Key {
	var keys []credential.Key
	for purpose, b := range map[credential.Purpose]byte{
		credential.AnonymousIDs:   0xa1,
		credential.VoterKeys:      0xb2,
		credential.Pseudonyms:     0xc3,
		credential.EmbedTokens:    0xd4,
		credential.Confirmations:  0xe5,
		credential.UploadPolicies: 0xf6,
		credential.LimitKeys:      0x17,
		credential.PollKeys:       0x28,
	} {
		keys = append(keys, credential.Key{Purpose: purpose, Number: 1, Secret: bytes.Repeat([]byte{b}, 32)})
	}
	return keys
}

func keyring(t testing.TB, environment string, keys []credential.Key) *credential.Keyring {
	t.Helper()
	r, err := credential.NewKeyring(environment, keys)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func staging(t testing.TB) *credential.Keyring { return keyring(t, "staging", knownKeys()) }

func TestFreshKeysMakeAKeyring(t *testing.T) {
	t.Parallel()
	keys := credential.Missing(nil)
	keyring(t, "production", keys)
	seen := map[string]bool{}
	for _, k := range keys {
		if len(k.Secret) != 32 || k.Number != 1 || k.Retired {
			t.Errorf("%s: got %d bytes, number %d, retired %v", k.Purpose, len(k.Secret), k.Number, k.Retired)
		}
		seen[string(k.Secret)] = true
	}
	if len(seen) != len(keys) {
		t.Errorf("got %d secrets for %d keys, want one each", len(seen), len(keys))
	}
	if missing := credential.Missing(keys); len(missing) != 0 {
		t.Errorf("got %d keys missing, want none", len(missing))
	}
}

func TestMissingMakesWhatALaterVersionNeeds(t *testing.T) {
	t.Parallel()
	keys := credential.Missing(nil)
	got := credential.Missing(keys[:len(keys)-1])
	want := keys[len(keys)-1]
	if len(got) != 1 || got[0].Purpose != want.Purpose || got[0].Number != 1 {
		t.Errorf("got %d keys, first for %s; want one for %s", len(got), got[0].Purpose, want.Purpose)
	}
}

func TestMissingFollowsARetiredKey(t *testing.T) {
	t.Parallel()
	keys := knownKeys()
	i := slices.IndexFunc(keys, func(k credential.Key) bool { return k.Purpose == credential.AnonymousIDs })
	keys[i].Retired = true
	got := credential.Missing(keys)
	if len(got) != 1 || got[0].Purpose != credential.AnonymousIDs || got[0].Number != 2 {
		t.Fatalf("got %d keys, want number 2 for anonymous ids", len(got))
	}
	keyring(t, "staging", append(keys, got...))
}

func TestKeyringRefuses(t *testing.T) {
	t.Parallel()
	secret := make([]byte, 32)
	extra := func(k credential.Key) []credential.Key { return append(knownKeys(), k) }
	for name, test := range map[string]struct {
		environment string
		keys        []credential.Key
		want        string
	}{
		"no name":             {"", knownKeys(), "needs a name"},
		"a name with NUL":     {"a\x00b", knownKeys(), "needs a name"},
		"no keys":             {"staging", nil, "a key is missing"},
		"a key too few":       {"staging", knownKeys()[1:], "a key is missing"},
		"a short secret":      {"staging", extra(credential.Key{Purpose: "new", Number: 1, Secret: secret[:31]}), "got 31 bytes"},
		"number 0":            {"staging", extra(credential.Key{Purpose: credential.AnonymousIDs, Secret: secret}), "from 1 to 255"},
		"number 256":          {"staging", extra(credential.Key{Purpose: credential.AnonymousIDs, Number: 256, Secret: secret}), "from 1 to 255"},
		"a number twice":      {"staging", extra(credential.Key{Purpose: credential.AnonymousIDs, Number: 1, Secret: secret}), "two of them"},
		"a purpose twice":     {"staging", extra(credential.Key{Purpose: credential.VoterKeys, Number: 2, Secret: secret}), "two of them"},
		"a retired voter key": {"staging", extra(credential.Key{Purpose: credential.VoterKeys, Number: 2, Secret: secret, Retired: true}), "retired"},
	} {
		_, err := credential.NewKeyring(test.environment, test.keys)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

func TestKeysOfALaterVersionAreLeftAlone(t *testing.T) {
	t.Parallel()
	keyring(t, "staging", append(knownKeys(), credential.Key{Purpose: "new", Number: 1, Secret: make([]byte, 32)}))
}

func TestUploadKeyAndLimitSecret(t *testing.T) {
	t.Parallel()
	r := staging(t)
	id, secret := r.UploadKey()
	got := map[string]string{"id": id, "secret": secret, "limit": hex.EncodeToString(r.LimitSecret())}
	want := map[string]string{
		"id":     "7D964E30C7EE3E639BA4",
		"secret": "f60bf8c5bc8b95c2ce0f6f49e603c912e41b212d",
		"limit":  "567701fc6bb5221ac9ec672ac875db0948a5c492ba0425c85635fc5fa0e2741b",
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestEnvironmentsWithTheSameKeysRefuseEachOther(t *testing.T) {
	t.Parallel()
	a, b := staging(t), keyring(t, "production", knownKeys())
	id := a.Mint(noon)
	if _, ok := b.Verify(id.Reveal()); ok {
		t.Error("anonymous id: got accepted, want refused")
	}
	if _, ok := b.VerifyEmbed(a.EmbedToken(1, noon), noon); ok {
		t.Error("embed token: got accepted, want refused")
	}
	if _, ok := b.VerifyConfirmation(a.ConfirmationToken(1, "a@b.c", noon), noon); ok {
		t.Error("confirmation: got accepted, want refused")
	}
	voter := a.AnonymousVoter(id)
	if b.AnonymousVoter(id) == voter {
		t.Error("voter: got the same, want another")
	}
	if b.Pseudonym(1, voter) == a.Pseudonym(1, voter) {
		t.Error("pseudonym: got the same, want another")
	}
	if bytes.Equal(b.LimitSecret(), a.LimitSecret()) {
		t.Error("limit hash: got the same, want another")
	}
	id1, secret1 := a.UploadKey()
	id2, secret2 := b.UploadKey()
	if id1 == id2 || secret1 == secret2 {
		t.Error("upload key: got the same, want another")
	}
}

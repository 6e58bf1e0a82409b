package credential_test

import (
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"stoa/polls/internal/credential"
)

const knownToken = "pt_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

func TestTokenIsFoundByItsHash(t *testing.T) {
	t.Parallel()
	hash, ok := credential.HashToken(knownToken)
	const want = "2c72473a60ab91b4ec570f8f4d994253678aec96122f87ff17c1788f10a1f477" // sha256sum
	if got := hex.EncodeToString(hash[:]); !ok || got != want {
		t.Errorf("got %s %v, want %s", got, ok, want)
	}
}

func TestNewTokens(t *testing.T) {
	t.Parallel()
	a, b := credential.NewToken(), credential.NewToken()
	if _, ok := credential.HashToken(a); !ok || !regexp.MustCompile(`^pt_[A-Za-z0-9_-]{43}$`).MatchString(a) {
		t.Errorf("got %q, want pt_ and 43 characters", a)
	}
	if a == b {
		t.Error("got the same token twice")
	}
}

func TestMalformedTokensAreNotLookedUp(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "pt_", knownToken[3:], knownToken + "A", knownToken[:45], "PT_" + knownToken[3:],
		knownToken[:45] + "9", // bits that no byte needs
		knownToken[:45] + "=", knownToken[:10] + "+" + knownToken[11:], knownToken[:10] + "\n" + knownToken[11:],
		knownToken[:10] + "\x00" + knownToken[11:], strings.Repeat("é", 23),
		"pt_\n" + strings.Repeat("A", 42), // base64 passes over line breaks
	} {
		if _, ok := credential.HashToken(s); ok {
			t.Errorf("%q: got a hash, want none", s)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add(knownToken)
	f.Add("pt_\n")
	f.Fuzz(func(t *testing.T, s string) {
		if _, ok := credential.HashToken(s); ok && !regexp.MustCompile(`^pt_[A-Za-z0-9_-]{43}$`).MatchString(s) {
			t.Errorf("%q: got a hash, want none", s)
		}
	})
}

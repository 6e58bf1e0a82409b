package credential_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const (
	knownEmbed        = "AAAAAGjzgUAAAAAAAAAAKo8ayyD9EF_xtWlgwmhRmwc"
	knownConfirmation = "AAAAAGj2JEAAAAAAAAAAB3HU9V9y-hKN-0aKGjkBUHzS6P6vIq7XTiTFDTrf8qWy"
)

func TestEmbedToken(t *testing.T) {
	t.Parallel()
	r := staging(t)
	if got := r.EmbedToken(42, noon); got != knownEmbed {
		t.Errorf("got %s, want %s", got, knownEmbed)
	}
	for _, test := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {24*time.Hour - time.Second, true}, {24 * time.Hour, false}, {1000 * time.Hour, false}} {
		embed, ok := r.VerifyEmbed(knownEmbed, noon.Add(test.after))
		if ok != test.want || ok && embed != 42 {
			t.Errorf("after %v: got %d %v, want %v", test.after, embed, ok, test.want)
		}
	}
}

func TestConfirmationToken(t *testing.T) {
	t.Parallel()
	r := staging(t)
	if got := r.ConfirmationToken(7, "Ann@Example.com", noon); got != knownConfirmation {
		t.Errorf("got %s, want %s", got, knownConfirmation)
	}
	c, ok := r.VerifyConfirmation(knownConfirmation, noon.Add(72*time.Hour-time.Second))
	if !ok || c.User != 7 || !c.For("ann@EXAMPLE.com") {
		t.Errorf("got %v %v, want user 7 confirmed", c, ok)
	}
	if c.For("bob@example.com") {
		t.Error("for another address: got true, want false")
	}
	if _, ok := r.VerifyConfirmation(knownConfirmation, noon.Add(72*time.Hour)); ok {
		t.Error("after three days: got accepted, want refused")
	}
}

func TestSignedTextsAreURLSafe(t *testing.T) {
	t.Parallel()
	r := staging(t)
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.Int64().Draw(t, "id")
		token := r.EmbedToken(id, noon)
		if got, ok := r.VerifyEmbed(token, noon); !ok || got != id || !regexp.MustCompile(`^[A-Za-z0-9_-]+$`).MatchString(token) {
			t.Fatalf("%s: got %d %v, want %d", token, got, ok, id)
		}
	})
}

func TestChangedSignedTextsAreRefused(t *testing.T) {
	t.Parallel()
	r := staging(t)
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SampledFrom([]string{knownEmbed, knownConfirmation}).Draw(t, "token")
		changed := []byte(known)
		i := rapid.IntRange(0, len(changed)-1).Draw(t, "place")
		changed[i] = rapid.Byte().Filter(func(b byte) bool { return b != known[i] }).Draw(t, "byte")
		_, embed := r.VerifyEmbed(string(changed), noon)
		_, confirmation := r.VerifyConfirmation(string(changed), noon)
		if embed || confirmation {
			t.Fatalf("%q: got accepted, want refused", changed)
		}
	})
	for _, s := range []string{"", knownEmbed[1:], knownEmbed + "=", knownEmbed + "A", strings.Repeat("A", 43), strings.Repeat("\n", 43), knownConfirmation} {
		if _, ok := r.VerifyEmbed(s, noon); ok {
			t.Errorf("%q: got accepted, want refused", s)
		}
	}
}

func FuzzSigned(f *testing.F) {
	r := staging(f)
	f.Add(knownEmbed)
	f.Add(knownConfirmation)
	f.Add(strings.Repeat("\n", 43))
	f.Fuzz(func(t *testing.T, s string) {
		if _, ok := r.VerifyEmbed(s, noon); ok && s != knownEmbed {
			t.Errorf("embed %q: got accepted, want refused", s)
		}
		if _, ok := r.VerifyConfirmation(s, noon); ok && s != knownConfirmation {
			t.Errorf("confirmation %q: got accepted, want refused", s)
		}
	})
}

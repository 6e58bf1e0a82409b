package credential_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stoa/polls/internal/credential"
)

const (
	knownID    = "01004f9a000102030405060708090a0bc68f8ebb4b22712580eedc543b18"
	knownVoter = "aV3W8vcXWpkBu9_GpVWAMLw"
)

func TestMintedIDsAreVerified(t *testing.T) {
	t.Parallel()
	r := staging(t)
	a := r.Mint(noon)
	s := a.Reveal()
	if !strings.HasPrefix(s, "01004f9a") || len(s) != 60 {
		t.Errorf("got %s, want 60 digits with key 1 and day 20378", s)
	}
	if got, ok := r.Verify(s); !ok || got != a {
		t.Errorf("got %v, want it verified", ok)
	}
	if r.Mint(noon) == a {
		t.Error("got the same id twice")
	}
}

func TestKnownIDIsVerified(t *testing.T) {
	t.Parallel()
	r := staging(t)
	a, ok := r.Verify(knownID)
	if !ok || a.Reveal() != knownID {
		t.Fatalf("got %v, want verified", ok)
	}
	if got := r.AnonymousVoter(a); got != knownVoter {
		t.Errorf("voter: got %s, want %s", got, knownVoter)
	}
	const want = "31b151af21ba1528f40b5207050ac9927fe82b1d45f87f3b3132af4c34d0"
	if got := r.Pseudonym(815, knownVoter); got != want {
		t.Errorf("pseudonym: got %s, want %s", got, want)
	}
}

func TestChangedIDsAreRefused(t *testing.T) {
	t.Parallel()
	r := staging(t)
	rapid.Check(t, func(t *rapid.T) {
		changed := []byte(knownID)
		i := rapid.IntRange(0, len(changed)-1).Draw(t, "place")
		changed[i] = rapid.Byte().Filter(func(b byte) bool { return b != knownID[i] }).Draw(t, "byte")
		if _, ok := r.Verify(string(changed)); ok {
			t.Fatalf("%q: got accepted, want refused", changed)
		}
	})
	for _, s := range []string{"", knownID[:59], knownID + "0", " " + knownID[1:], strings.ToUpper(knownID), strings.Repeat("0", 60), strings.Repeat("é", 30)} {
		if _, ok := r.Verify(s); ok {
			t.Errorf("%q: got accepted, want refused", s)
		}
	}
}

func TestRetiredNumbersAreRefused(t *testing.T) {
	t.Parallel()
	old := staging(t)
	keys := knownKeys()
	i := slices.IndexFunc(keys, func(k credential.Key) bool { return k.Purpose == credential.AnonymousIDs })
	second := credential.Key{Purpose: credential.AnonymousIDs, Number: 2, Secret: make([]byte, 32)}

	rolled := keyring(t, "staging", append(slices.Clone(keys), second))
	if _, ok := rolled.Verify(knownID); !ok {
		t.Error("old number beside a new one: got refused, want accepted")
	}
	fresh := rolled.Mint(noon)
	if fresh[0] != 2 {
		t.Errorf("got an id of number %d, want the newest", fresh[0])
	}
	if _, ok := old.Verify(fresh.Reveal()); ok {
		t.Error("unknown number: got accepted, want refused")
	}

	keys[i].Retired = true
	retired := keyring(t, "staging", append(keys, second))
	if _, ok := retired.Verify(knownID); ok {
		t.Error("retired number: got accepted, want refused")
	}
	if _, ok := retired.Verify(fresh.Reveal()); !ok {
		t.Error("live number: got refused, want accepted")
	}
}

func TestIDsStayOutOfLogs(t *testing.T) {
	t.Parallel()
	a, _ := staging(t).Verify(knownID)
	var out strings.Builder
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "id", a)
	fmt.Fprintf(&out, "%v %s", a, a)
	if got := out.String(); strings.Contains(got, "4f9a") || !strings.Contains(got, "***") {
		t.Errorf("got %s, want no digit of the id", got)
	}
}

func TestKeyringServesManyAtOnce(t *testing.T) {
	t.Parallel()
	r := staging(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				a, ok := r.Verify(r.Mint(time.Now()).Reveal())
				if !ok || len(r.AnonymousVoter(a)) != 23 {
					t.Error("got refused, want accepted")
				}
			}
		})
	}
	wg.Wait()
}

func FuzzVerify(f *testing.F) {
	r := staging(f)
	f.Add(knownID)
	f.Add(strings.Repeat("f", 60))
	f.Add("pt_")
	f.Fuzz(func(t *testing.T, s string) {
		if a, ok := r.Verify(s); ok && a.Reveal() != s {
			t.Errorf("%q: got accepted as %q", s, a.Reveal())
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	r := staging(b)
	b.ReportAllocs()
	for b.Loop() {
		a, ok := r.Verify(knownID)
		if !ok || len(r.AnonymousVoter(a)) != 23 {
			b.Fatal("refused")
		}
	}
}

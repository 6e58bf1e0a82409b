package credential

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/alexedwards/argon2id"

	"stoa/polls/internal/text"
)

func TestPasswordIsVerified(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	hash, err := p.Hash(t.Context(), "Caf\u00e9 noir")
	if err != nil || !strings.HasPrefix(hash, "$argon2id$v=19$m=65536,t=1,p=2$") {
		t.Fatalf("got %q, %v, want argon2id with 64 MiB, one pass, two lanes", hash, err)
	}
	// Both spellings of é are one password: the hash is of the other one.
	if ok, err := p.Verify(t.Context(), "Cafe\u0301 noir", hash); !ok || err != nil {
		t.Errorf("right: got %v, %v, want true", ok, err)
	}
	if ok, err := p.Verify(t.Context(), "Cafe\u0301 Noir", hash); ok || err != nil {
		t.Errorf("other case: got %v, %v, want false", ok, err)
	}
}

func TestPasswordOfWrongLength(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	for password, want := range map[string]text.Kind{"1234567": text.TooShort, strings.Repeat("é", 129): text.TooLong} {
		_, err := p.Hash(t.Context(), password)
		if got, ok := errors.AsType[*text.Problem](err); !ok || got.Kind != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestNobodyCostsWhatAnybodyCosts(t *testing.T) {
	t.Parallel()
	params, _, _, err := argon2id.DecodeHash(nobody)
	if err != nil || *params != passwordCost {
		t.Errorf("got %+v, %v, want %+v", params, err, passwordCost)
	}
}

func TestThirdPasswordWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := NewPasswords()
		var leave [2]func()
		for i := range leave {
			var err error
			if leave[i], err = p.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		third, fourth := make(chan error, 1), make(chan error, 1)
		go func() { third <- p.VerifyNobody(ctx, "password") }()
		synctest.Wait()
		if len(third) != 0 {
			t.Fatalf("with both places taken: got %v, want it to wait", <-third)
		}
		cancel()
		if err := <-third; !errors.Is(err, context.Canceled) {
			t.Errorf("given up: got %v, want %v", err, context.Canceled)
		}
		go func() { fourth <- p.VerifyNobody(t.Context(), "password") }()
		synctest.Wait()
		leave[0]()
		if err := <-fourth; err != nil {
			t.Errorf("with a place free: got %v, want none", err)
		}
		leave[1]()
	})
}

func TestEndedCallsAreNotBegun(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewPasswords().Hash(ctx, "password"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestDamagedPasswordHash(t *testing.T) {
	t.Parallel()
	p := NewPasswords()
	for _, hash := range []string{
		"", "x", "$argon2id$v=19$m=65536,t=1,p=2$", "$argon2i$v=19$m=65536,t=1,p=2$AAAA$AAAA",
		strings.Replace(nobody, "t=1", "t=0", 1), strings.Replace(nobody, "p=2", "p=0", 1), strings.Replace(nobody, "m=65536", "m=4294967295", 1),
	} {
		if ok, err := p.Verify(t.Context(), "password", hash); ok || err == nil {
			t.Errorf("%q: got %v, %v, want an error", hash, ok, err)
		}
	}
}

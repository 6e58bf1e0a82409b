package secret_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"stoa/internal/secret"
)

const text = "correct horse battery staple"

func box(t testing.TB, text string) *secret.Box {
	t.Helper()
	b, err := secret.New(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSealedIsOpened(t *testing.T) {
	t.Parallel()
	for _, plain := range [][]byte{nil, []byte("x"), bytes.Repeat([]byte("secret"), 1000)} {
		sealed := box(t, text).Seal("signing", plain)
		if len(plain) > 1 && bytes.Contains(sealed, plain[:6]) {
			t.Error("got the plain text inside, want it unreadable")
		}
		got, err := box(t, " "+text+"\n").Open("signing", sealed)
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("got %d bytes, %v, want %d", len(got), err, len(plain))
		}
	}
}

func TestSealingTwiceDiffers(t *testing.T) {
	t.Parallel()
	b := box(t, text)
	if bytes.Equal(b.Seal("p", []byte("x")), b.Seal("p", []byte("x"))) {
		t.Error("got the same bytes, want another nonce")
	}
}

func TestSealedIsRefused(t *testing.T) {
	t.Parallel()
	b := box(t, text)
	sealed := b.Seal("signing", []byte("secret"))
	if _, err := b.Open("mail", sealed); err == nil {
		t.Error("for another purpose: got opened, want refused")
	}
	if _, err := box(t, text+"!").Open("signing", sealed); err == nil {
		t.Error("with another key: got opened, want refused")
	}
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if _, err := b.Open("signing", changed); err == nil {
			t.Errorf("byte %d changed: got opened, want refused", i)
		}
		if _, err := b.Open("signing", sealed[:i]); err == nil {
			t.Errorf("cut after %d: got opened, want refused", i)
		}
	}
}

func TestCheckTellsAnotherKey(t *testing.T) {
	t.Parallel()
	b := box(t, text)
	// openssl kdf -keylen 16 -kdfopt digest:SHA256 -kdfopt key:"$text" -kdfopt info:"stoa: check" HKDF
	const want = "e2bb89a6805f395131ee061fae13f4e7"
	if got := b.Check(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := b.Accept(want); err != nil {
		t.Errorf("own: got %v, want none", err)
	}
	for _, other := range []string{"", want + "0", box(t, text+"!").Check()} {
		if err := b.Accept(other); !errors.Is(err, secret.ErrOtherKey) {
			t.Errorf("%q: got %v, want %v", other, err, secret.ErrOtherKey)
		}
	}
}

// Sealed by other programs: the key by openssl as above with info "stoa: seal",
// the rest by AES-256-GCM of Python and Node with the nonce 00 01 … 0b.
func TestSealedLongAgoIsOpened(t *testing.T) {
	t.Parallel()
	sealed, err := hex.DecodeString("01" + "000102030405060708090a0b" + "5f7675f68c35471644b9efcdf83965eae23211a026")
	if err != nil {
		t.Fatal(err)
	}
	got, err := box(t, text).Open("signing", sealed)
	if err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v, want hello", got, err)
	}
}

func TestShortSecretIsRefused(t *testing.T) {
	t.Parallel()
	for _, short := range []string{"", strings.Repeat("é", 15), "            a           "} {
		if _, err := secret.New(short); err == nil || !strings.Contains(err.Error(), "at least 16") {
			t.Errorf("%q: got %v, want it refused", short, err)
		}
	}
	box(t, strings.Repeat("é", 16))
}

func FuzzOpen(f *testing.F) {
	b := box(f, text)
	f.Add([]byte{})
	f.Add([]byte{1})
	f.Add(b.Seal("other", []byte("x")))
	f.Fuzz(func(t *testing.T, sealed []byte) {
		if _, err := b.Open("signing", sealed); err == nil && len(sealed) < 29 {
			t.Errorf("%x: got opened, want refused", sealed)
		}
	})
}

package credential

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"stoa/polls/internal/text"
)

// passwordCost is what every password costs to check, so that time tells
// nothing. Memory is in KiB.
var passwordCost = argon2id.Params{Memory: 64 * 1024, Iterations: 1, Parallelism: 2, SaltLength: 16, KeyLength: 32}

// nobody is a hash that no known password has.
var nobody = fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s",
	passwordCost.Memory, passwordCost.Iterations, passwordCost.Parallelism,
	base64.RawStdEncoding.EncodeToString(make([]byte, passwordCost.SaltLength)),
	base64.RawStdEncoding.EncodeToString(make([]byte, passwordCost.KeyLength)))

// Passwords hashes and verifies two passwords at a time, because each takes 64
// MiB; others wait. A process has one, shared by its environments.
type Passwords struct{ slots chan struct{} }

// NewPasswords makes the one of a process.
func NewPasswords() *Passwords { return &Passwords{slots: make(chan struct{}, 2)} }

// Hash is what is stored of a new password. A bad length is a *text.Problem; an
// end of ctx while waiting is the error of ctx.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	password, err := text.Password(password)
	if err != nil {
		return "", err
	}
	leave, err := p.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(password, &passwordCost)
}

// Verify tells whether the hash is of this password. An error means that ctx
// ended while waiting, or that the stored hash is damaged.
func (p *Passwords) Verify(ctx context.Context, password, hash string) (bool, error) {
	params, _, _, err := argon2id.DecodeHash(hash)
	if err != nil {
		return false, fmt.Errorf("stored password hash: %w", err)
	}
	if *params != passwordCost {
		return false, errors.New("stored password hash: of another cost than this program uses")
	}
	leave, err := p.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	return argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
}

// VerifyNobody takes as long as Verify, for a name that nobody has.
func (p *Passwords) VerifyNobody(ctx context.Context, password string) error {
	_, err := p.Verify(ctx, password, nobody)
	return err
}

func (p *Passwords) enter(ctx context.Context) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case p.slots <- struct{}{}:
		return func() { <-p.slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

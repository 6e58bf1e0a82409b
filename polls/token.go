package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// How long a token is good, and how many an account has.
const (
	tokenIdle = 90 * 24 * time.Hour  // after its last use
	tokenLife = 365 * 24 * time.Hour // after it was made
	maxTokens = 50
)

// accountOf is the account that a token belongs to, nil when the token is not good.
func (s *Service) accountOf(ctx context.Context, token string) (*account, error) {
	hash, ok := credential.HashToken(token)
	if !ok {
		return nil, nil
	}
	if s.db.Postgres() { // SQLite does not hang, and pays for a context that can end
		limited, cancel := context.WithTimeout(ctx, askLimit)
		defer cancel()
		ctx = limited
	}
	now := time.Now()
	var used, newest int64
	a, err := scanAccount(s.db.QueryRow(ctx, "SELECT "+accountColumns+`, used_at,
		(SELECT max(other.used_at) FROM tokens other WHERE other.user_id = users.id)
		FROM tokens JOIN users ON users.id = user_id
		WHERE hash = $1 AND used_at > $2 AND tokens.created_at > $3 AND NOT suspended`,
		hash[:], db.Micros(now.Add(-tokenIdle)), db.Micros(now.Add(-tokenLife))), &used, &newest)
	if err != nil || a == nil {
		return nil, err
	}
	if used < newest || now.Sub(db.Time(used)) > tokenNoted {
		s.noteUse(ctx, hash[:], now)
	}
	return a, nil
}

// tokenNoted is how exactly the last use of a token is kept: a write for every
// request would be too much. That another token of the account was used before is
// kept at once, since the order decides which one falls out.
const tokenNoted = time.Hour

func (s *Service) noteUse(ctx context.Context, hash []byte, now time.Time) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "UPDATE tokens SET used_at = $1 WHERE hash = $2 AND used_at < $1", db.Micros(now), hash)
		return err
	})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("note the use of a token", "error", err)
	}
}

// issueToken makes a token for an account that accountLocked has read or that the
// transaction has made. When there are too many, the one that was not used for
// longest falls out.
func (s *Service) issueToken(ctx context.Context, tx *db.Tx, user int64) (string, error) {
	token := credential.NewToken()
	hash, _ := credential.HashToken(token)
	now := time.Now()
	if _, err := tx.Exec(ctx, "INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ($1, $2, $3, $3)",
		hash[:], user, db.Micros(now)); err != nil {
		return "", fmt.Errorf("store token: %w", err)
	}
	if _, err := tx.Exec(ctx, `DELETE FROM tokens WHERE user_id = $1 AND (used_at <= $2 OR created_at <= $3 OR hash IN
		(SELECT hash FROM tokens WHERE user_id = $1 AND hash <> $4 ORDER BY used_at DESC, created_at DESC, hash LIMIT 1000 OFFSET $5))`,
		user, db.Micros(now.Add(-tokenIdle)), db.Micros(now.Add(-tokenLife)), hash[:], maxTokens-1); err != nil {
		return "", fmt.Errorf("drop tokens: %w", err)
	}
	return token, nil
}

// logIn makes a token for whoever knows the password. Nobody learns whether the
// name or the password was wrong, nor from the time it takes.
func (s *Service) logIn(ctx context.Context, name, password string) (*account, string, error) {
	a, hash, err := accountToLogIn(ctx, s.db, name)
	if err != nil {
		return nil, "", err
	}
	good := false
	if a == nil {
		err = s.Passwords.VerifyNobody(ctx, password)
	} else {
		good, err = s.Passwords.Verify(ctx, password, hash)
	}
	if err != nil {
		return nil, "", err
	}
	if !good {
		return nil, "", errWrongLogin()
	}
	var token string
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		now, hashNow, err := accountLocked(ctx, s.db, tx, a.id)
		switch {
		case err != nil:
			return err
		case now.suspended:
			return wire.Errorf(wire.Suspended, "", "this account is suspended; write to the operator of this site")
		case hashNow != hash: // changed while it was verified
			return errWrongLogin()
		}
		a = now
		token, err = s.issueToken(ctx, tx, a.id)
		return err
	})
	return a, token, err
}

func errWrongLogin() error {
	return wire.Errorf(wire.InvalidCredentials, "", "the name or the password is wrong")
}

// revokeToken makes one token worthless.
func (s *Service) revokeToken(ctx context.Context, token string) error {
	hash, _ := credential.HashToken(token)
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, "DELETE FROM tokens WHERE hash = $1", hash[:]); err != nil {
			return fmt.Errorf("revoke token: %w", err)
		}
		return nil
	})
}

// revokeTokens makes all tokens of an account worthless but one; empty: all of them.
func (s *Service) revokeTokens(ctx context.Context, tx *db.Tx, user int64, but string) error {
	hash, _ := credential.HashToken(but)
	if _, err := tx.Exec(ctx, "DELETE FROM tokens WHERE user_id = $1 AND hash <> $2", user, hash[:]); err != nil {
		return fmt.Errorf("revoke tokens of user %d: %w", user, err)
	}
	return nil
}

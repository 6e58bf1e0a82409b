package polls

import (
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// What follows is for the commands of operators. They need no Service that runs,
// and what they change holds in those that run within a second.

// User is an account as operators see it.
type User struct {
	ID                             int64
	Username, Email, Name          string
	Operator, Confirmed, Suspended bool
	Created                        time.Time
}

func (a *account) user() User {
	return User{a.id, a.username, a.email, a.name, a.operator, a.confirmed, a.suspended, a.created}
}

// CreateUser makes an account, which counts as confirmed.
func (s *Service) CreateUser(ctx context.Context, n NewUser) (User, error) {
	a, err := s.makeAccount(ctx, n, true, func(*change, *account) error { return nil })
	if err != nil {
		return User{}, err
	}
	return a.user(), nil
}

// usersAtOnce is how many accounts are read with one query.
const usersAtOnce = 500

// Users are all accounts, in the order in which they were made.
func (s *Service) Users(ctx context.Context) iter.Seq2[User, error] {
	return func(yield func(User, error) bool) {
		for last := int64(0); ; {
			users, err := s.usersAfter(ctx, last)
			if err != nil {
				yield(User{}, err)
				return
			}
			for _, u := range users {
				if !yield(u, nil) {
					return
				}
				last = u.ID
			}
			if len(users) < usersAtOnce {
				return
			}
		}
	}
}

func (s *Service) usersAfter(ctx context.Context, id int64) ([]User, error) {
	return s.readUsers(ctx, "WHERE id > $1 AND username <> '' ORDER BY id LIMIT $2", id, usersAtOnce)
}

func (s *Service) readUsers(ctx context.Context, which string, args ...any) ([]User, error) {
	rows, err := s.db.Query(ctx, "SELECT "+accountColumns+" FROM users "+which, args...)
	if err != nil {
		return nil, fmt.Errorf("read accounts: %w", err)
	}
	defer rows.Close()
	var users []User
	for rows.Next() {
		a, err := scanAccount(rows)
		if err != nil {
			return nil, err
		}
		users = append(users, a.user())
	}
	return users, rows.Err()
}

// Suspend shuts an account out and its polls off the recent list, or lets it in
// again. Its tokens are revoked for good.
func (s *Service) Suspend(ctx context.Context, username string, on bool) error {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return err
	}
	return s.change(ctx, func(c *change) error { return s.suspend(ctx, c, a.id, on) })
}

func (s *Service) suspend(ctx context.Context, c *change, user int64, on bool) error {
	if _, err := c.Exec(ctx, "UPDATE users SET suspended = $1 WHERE id = $2", on, user); err != nil {
		return fmt.Errorf("suspend user %d: %w", user, err)
	}
	c.mark(markPeople)
	c.mark(markFeed)
	if !on {
		return nil
	}
	return s.revokeTokens(ctx, c.Tx, user, "")
}

// SetPassword gives an account a new password and revokes its tokens.
func (s *Service) SetPassword(ctx context.Context, username, password string) error {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return err
	}
	hash, err := s.Passwords.Hash(ctx, password)
	if err != nil {
		return refuseText("password", err)
	}
	return s.change(ctx, func(c *change) error {
		if _, err := c.Exec(ctx, "UPDATE users SET password = $1 WHERE id = $2", hash, a.id); err != nil {
			return fmt.Errorf("set the password of user %d: %w", a.id, err)
		}
		return s.revokeTokens(ctx, c.Tx, a.id, "")
	})
}

// Token is a login of an account. Its ID is made of the hash that is stored.
type Token struct {
	ID            string
	Created, Used time.Time
}

// Tokens are the logins of an account, last used first.
func (s *Service) Tokens(ctx context.Context, username string) ([]Token, error) {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, "SELECT hash, created_at, used_at FROM tokens WHERE user_id = $1 ORDER BY used_at DESC", a.id)
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	defer rows.Close()
	var tokens []Token
	for rows.Next() {
		var hash []byte
		var created, used int64
		if err := rows.Scan(&hash, &created, &used); err != nil {
			return nil, fmt.Errorf("read tokens: %w", err)
		}
		tokens = append(tokens, Token{tokenID(hash), db.Time(created), db.Time(used)})
	}
	return tokens, rows.Err()
}

func tokenID(hash []byte) string { return hex.EncodeToString(hash[:6]) }

// Revoke makes tokens of an account worthless and tells how many: the one with an
// ID, or the one that is named itself, or with an empty text all of them.
func (s *Service) Revoke(ctx context.Context, username, token string) (int, error) {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return 0, err
	}
	want := token
	if hash, whole := credential.HashToken(token); whole {
		want = tokenID(hash[:])
	}
	n := 0
	err = s.change(ctx, func(c *change) error {
		hashes, err := readHashes(ctx, c, a.id)
		if err != nil {
			return err
		}
		for _, hash := range hashes {
			if want != "" && want != tokenID(hash) {
				continue
			}
			n++
			if _, err := c.Exec(ctx, "DELETE FROM tokens WHERE hash = $1", hash); err != nil {
				return fmt.Errorf("revoke token: %w", err)
			}
		}
		return nil
	})
	if err == nil && n == 0 && want != "" {
		err = wire.Errorf(wire.Unknown, "token", "%s has no such token; list them", a.username)
	}
	return n, err
}

func readHashes(ctx context.Context, q querier, user int64) ([][]byte, error) {
	rows, err := q.Query(ctx, "SELECT hash FROM tokens WHERE user_id = $1", user)
	if err != nil {
		return nil, fmt.Errorf("read tokens: %w", err)
	}
	defer rows.Close()
	var hashes [][]byte
	for rows.Next() {
		var hash []byte
		if err := rows.Scan(&hash); err != nil {
			return nil, fmt.Errorf("read tokens: %w", err)
		}
		hashes = append(hashes, hash)
	}
	return hashes, rows.Err()
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// account is somebody who can log in.
type account struct {
	person
	email                          string
	location, website, about       string
	social                         string
	operator, confirmed, suspended bool
	created                        time.Time
}

// mayPublish refuses an account whose mail nobody has read yet. It may vote.
func (a *account) mayPublish() error {
	if !a.confirmed {
		return wire.Errorf(wire.NotConfirmed, "", "confirm your e-mail address first: follow the link in the mail that you were sent")
	}
	return nil
}

const accountColumns = `users.id, users.username, users.name, users.email, users.location, users.website, users.about,
	users.social_username, users.operator, users.confirmed, users.suspended, users.created_at`

// scanAccount reads accountColumns, and what else a query has. It is nil when there
// is no row.
func scanAccount(row interface{ Scan(...any) error }, more ...any) (*account, error) {
	a := new(account)
	var created int64
	err := row.Scan(append([]any{&a.id, &a.username, &a.name, &a.email, &a.location, &a.website, &a.about,
		&a.social, &a.operator, &a.confirmed, &a.suspended, &created}, more...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read account: %w", err)
	}
	a.created = db.Time(created)
	return a, nil
}

// accountNamed finds an account by its username, in any letter case.
func accountNamed(ctx context.Context, q querier, username string) (*account, error) {
	a, err := scanAccount(q.QueryRow(ctx, "SELECT "+accountColumns+" FROM users WHERE username_key = $1 AND username <> ''", text.Fold(username)))
	if err == nil && a == nil {
		return nil, wire.Errorf(wire.UserNotFound, "username", "there is no such user")
	}
	return a, err
}

// accountToLogIn finds an account by its username or e-mail address, nil when there
// is none, with the hash of its password.
func accountToLogIn(ctx context.Context, q querier, name string) (a *account, hash string, err error) {
	column := "username_key"
	if strings.Contains(name, "@") { // which no username has
		column = "email_key"
	}
	a, err = scanAccount(q.QueryRow(ctx, "SELECT "+accountColumns+", password FROM users WHERE "+column+" = $1 AND username <> ''",
		text.LoginName(name)), &hash)
	return a, hash, err
}

// accountLocked reads an account that nobody else changes until the commit, with
// the hash of its password.
func accountLocked(ctx context.Context, d *db.DB, tx *db.Tx, id int64) (a *account, hash string, err error) {
	a, err = scanAccount(tx.QueryRow(ctx, "SELECT "+accountColumns+", password FROM users WHERE id = $1 AND username <> ''"+d.ForUpdate(), id), &hash)
	if err == nil && a == nil {
		err = errAccountGone
	}
	return a, hash, err
}

var errAccountGone = wire.Errorf(wire.InvalidToken, "auth_token", "this account is not there any more")

// lockWriter keeps an account as it is until the commit, and refuses one that was suspended
// since the request came: who deletes it need not look for what is written later.
func (s *Service) lockWriter(ctx context.Context, c *change, id int64) error {
	out, err := lockWriters(ctx, s.db, c.Tx, []int64{id})
	if err == nil && len(out) > 0 {
		err = errAccountGone
	}
	return err
}

var shutOut = newSized(func(n int) string {
	return "SELECT id, suspended FROM users WHERE id IN (" + list(1, n) + ") ORDER BY id"
})

// lockWriters is lockWriter for many: it tells who of them is suspended.
func lockWriters(ctx context.Context, d *db.DB, tx *db.Tx, ids []int64) (out []int64, err error) {
	slices.Sort(ids)
	for chunk := range chunks(slices.Compact(ids)) {
		rows, err := tx.Query(ctx, shutOut.of(len(chunk))+d.ForShare(), anys(chunk)...)
		if err != nil {
			return nil, fmt.Errorf("lock accounts: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			var suspended bool
			if err := rows.Scan(&id, &suspended); err != nil {
				return nil, fmt.Errorf("lock accounts: %w", err)
			}
			if suspended {
				out = append(out, id)
			}
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("lock accounts: %w", err)
		}
	}
	return out, nil
}

// insertAccount gives a new account its number. A name or address that is taken is
// told, the name first.
func insertAccount(ctx context.Context, d *db.DB, tx *db.Tx, a *account, hash string) error {
	ids, err := d.NextIDs(ctx, tx, "user_ids", 1)
	if err != nil {
		return err
	}
	a.id = ids[0]
	result, err := tx.Exec(ctx, `INSERT INTO users (id, username, username_key, email, email_key, password, name, location, website,
		about, social_username, operator, confirmed, suspended, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, FALSE, $14) ON CONFLICT DO NOTHING`,
		a.id, a.username, text.Fold(a.username), a.email, text.Fold(a.email), hash, a.name, a.location, a.website,
		a.about, a.social, a.operator, a.confirmed, db.Micros(a.created))
	if err != nil {
		return fmt.Errorf("store account: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return err
	}
	if err := refuseTaken(ctx, tx, a); err != nil {
		return err
	}
	return wire.Errorf(wire.Unavailable, "", "somebody else just wanted this name; try again")
}

// refuseTaken tells what of an account another one has already.
func refuseTaken(ctx context.Context, q querier, a *account) error {
	var names, addresses int
	if err := q.QueryRow(ctx, `SELECT (SELECT count(*) FROM users WHERE username_key = $1 AND id <> $3),
		(SELECT count(*) FROM users WHERE email_key = $2 AND id <> $3)`,
		text.Fold(a.username), text.Fold(a.email), a.id).Scan(&names, &addresses); err != nil {
		return fmt.Errorf("look for account: %w", err)
	}
	switch {
	case names > 0:
		return wire.Errorf(wire.UsernameTaken, "username", "this username is taken; choose another")
	case addresses > 0:
		return errEmailTaken
	}
	return nil
}

var errEmailTaken = wire.Errorf(wire.EmailTaken, "email", "there is an account with this e-mail address; log in, or use another address")

// updateAccount stores what may change of an account.
func updateAccount(ctx context.Context, tx *db.Tx, a *account, hash string) error {
	_, err := tx.Exec(ctx, `UPDATE users SET email = $1, email_key = $2, password = $3, name = $4, location = $5, website = $6,
		about = $7, social_username = $8, confirmed = $9 WHERE id = $10`,
		a.email, text.Fold(a.email), hash, a.name, a.location, a.website, a.about, a.social, a.confirmed, a.id)
	if db.IsUnique(err) { // taken by somebody else at the same time: a username does not change
		return errEmailTaken
	}
	if err != nil {
		return fmt.Errorf("store account %d: %w", a.id, err)
	}
	return nil
}

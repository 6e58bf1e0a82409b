package polls_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
)

// planted is an account in the database, with a token.
type planted struct {
	id          int64
	name, token string
}

// plantAccount puts a confirmed account into the database, which costs no hashing.
// The marks are columns to be set to true, or to false with a ! before them.
func plantAccount(t testing.TB, d *db.DB, name string, marks ...string) planted {
	t.Helper()
	ctx, at, key := t.Context(), db.Micros(time.Now()), strings.ToLower(name)
	p := planted{name: name, token: credential.NewToken()}
	hash, _ := credential.HashToken(p.token)
	err := d.InTx(ctx, func(tx *db.Tx) error {
		ids, err := d.NextIDs(ctx, tx, "user_ids", 1)
		if err != nil {
			return err
		}
		p.id = ids[0]
		if _, err := tx.Exec(ctx, `INSERT INTO users (id, username, username_key, email, email_key, password, name, location, website,
			about, social_username, operator, confirmed, suspended, created_at)
			VALUES ($1, $2, $3, $4, $4, '', '', '', '', '', '', FALSE, TRUE, FALSE, $5)`, p.id, name, key, key+"@stoa.test", at); err != nil {
			return err
		}
		for _, mark := range marks {
			column, off := strings.CutPrefix(mark, "!")
			if _, err := tx.Exec(ctx, "UPDATE users SET "+column+" = $1 WHERE id = $2", !off, p.id); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, "INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ($1, $2, $3, $3)", hash[:], p.id, at)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// login is an account that calls.
type login struct {
	*site
	planted
}

// plantLogin is plantAccount for one that calls.
func plantLogin(s *site, d *db.DB, name string, marks ...string) login {
	s.t.Helper()
	return login{s, plantAccount(s.t, d, name, marks...)}
}

// call asks the API as this account.
func (l login) call(method, path string, params object) answer {
	l.t.Helper()
	with := object{"auth_token": l.token}
	maps.Copy(with, params)
	return l.site.call(method, path, with)
}

// exec changes the database behind the service's back.
func exec(t testing.TB, d *db.DB, query string, args ...any) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(t.Context(), query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// plantPoll puts a ready poll of a fresh account into the database.
func plantPoll(t testing.TB, d *db.DB) (poll int64) {
	t.Helper()
	ctx, now := t.Context(), db.Micros(time.Now())
	err := d.InTx(ctx, func(tx *db.Tx) error {
		ids, err := d.NextIDs(ctx, tx, "poll_ids", 1)
		if err != nil {
			return err
		}
		poll = ids[0]
		if _, err := tx.Exec(ctx, `INSERT INTO users (id, username, username_key, email, email_key, password, name, location, website,
			about, social_username, operator, confirmed, suspended, created_at)
			VALUES (1000000, 'planter', 'planter', 'p@stoa.test', 'p@stoa.test', '', '', '', '', '', '', FALSE, TRUE, FALSE, $1)
			ON CONFLICT DO NOTHING`, now); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
			second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type,
			medium_width, medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url,
			second_context_url, created_at, ready_at, deleted_at)
			VALUES ($1, 1, 1, 1000000, 'Tabs or spaces?', 'Tabs', 'Spaces', FALSE, 0, 0, 0, 0, 0, $1, '', '', 'x', 'image/jpeg',
			1, 1, 1, 1, '', '', '', '', $2, $2, 0)`, poll, now)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return poll
}

// plantPollOf puts a ready poll of an account into the database.
func plantPollOf(t testing.TB, d *db.DB, creator int64) int64 {
	t.Helper()
	poll := plantPoll(t, d)
	exec(t, d, "UPDATE polls SET creator_id = $1 WHERE id = $2", creator, poll)
	return poll
}

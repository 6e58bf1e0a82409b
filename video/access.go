package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// How long tokens live.
const (
	accessLife  = time.Hour
	refreshLife = 30 * 24 * time.Hour
)

// access is a pair of tokens that stand for a key.
type access struct{ token, refresh string }

// caller is who calls: a key, by itself or by a token. Its project owns what it sees.
type caller struct {
	key       string
	project   string
	limits    Limits
	suspended bool
}

// exchange gives tokens for a key.
func (s *Service) exchange(ctx context.Context, key string) (a access, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var name string
		var suspended bool
		err := tx.QueryRow(ctx, `SELECT name, suspended FROM video_keys WHERE hash = $1`, hashOf(key)).Scan(&name, &suspended)
		if err := usable(suspended, err); err != nil {
			return err
		}
		a, err = newAccess(ctx, tx, name)
		return err
	})
	return a, err
}

// renew gives new tokens for a refresh token, which is spent by it.
func (s *Service) renew(ctx context.Context, refresh string) (a access, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		var name string
		var suspended bool
		err := tx.QueryRow(ctx, `DELETE FROM video_access WHERE hash = $1 AND refresh AND expires_at > $2 RETURNING key_name`,
			hashOf(refresh), db.Micros(time.Now())).Scan(&name)
		if err == nil {
			err = tx.QueryRow(ctx, `SELECT suspended FROM video_keys WHERE name = $1`, name).Scan(&suspended)
		}
		if err := usable(suspended, err); err != nil {
			return err
		}
		a, err = newAccess(ctx, tx, name)
		return err
	})
	return a, err
}

func usable(suspended bool, err error) error {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return problem.InvalidCredentials
	case err == nil && suspended:
		return problem.Suspended
	}
	return err
}

func newAccess(ctx context.Context, tx *db.Tx, key string) (access, error) {
	a, now := access{newKeyText(), newKeyText()}, time.Now()
	for _, token := range []struct {
		text    string
		refresh bool
		life    time.Duration
	}{{a.token, false, accessLife}, {a.refresh, true, refreshLife}} {
		_, err := tx.Exec(ctx, `INSERT INTO video_access (hash, key_name, refresh, expires_at) VALUES ($1, $2, $3, $4)`,
			hashOf(token.text), key, token.refresh, db.Micros(now.Add(token.life)))
		if err != nil {
			return access{}, err
		}
	}
	return a, nil
}

// byKey finds who shows an API key.
func (s *Service) byKey(ctx context.Context, key string) (*caller, error) {
	return s.findCaller(ctx, problem.InvalidAPIKey, `SELECT name, project, uploads, writes, reads, suspended
		FROM video_keys WHERE hash = $1`, hashOf(key))
}

// byToken finds who shows an access token.
func (s *Service) byToken(ctx context.Context, token string) (*caller, error) {
	return s.findCaller(ctx, problem.InvalidAccessToken, `SELECT k.name, k.project, k.uploads, k.writes, k.reads, k.suspended
		FROM video_access a JOIN video_keys k ON k.name = a.key_name
		WHERE a.hash = $1 AND NOT a.refresh AND a.expires_at > $2`, hashOf(token), db.Micros(time.Now()))
}

func (s *Service) findCaller(ctx context.Context, unknown error, text string, args ...any) (*caller, error) {
	var c caller
	err := s.db.QueryRow(ctx, text, args...).Scan(&c.key, &c.project, &c.limits.Uploads, &c.limits.Writes, &c.limits.Reads, &c.suspended)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, unknown
	}
	if err != nil {
		return nil, err
	}
	if c.suspended {
		return nil, problem.Suspended
	}
	return &c, nil
}

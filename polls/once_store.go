package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
)

// claim is a request with a key, on its way.
type claim struct {
	caller, key string
	request     []byte
	at          int64 // when it was claimed, which tells it from a later one
}

// keptAnswer is what a request with a key was answered. Status 0: it is under way.
type keptAnswer struct {
	status   int
	body     []byte
	location string
	request  []byte
}

// claimOrRead returns what is there of a key, or nil when it is now claimed.
func (s *Service) claimOrRead(ctx context.Context, k *claim) (*keptAnswer, error) {
	now := time.Now()
	expired, abandoned := db.Micros(now.Add(-answerLife)), db.Micros(now.Add(-claimLife))
	kept := new(keptAnswer)
	err := s.db.QueryRow(ctx, `SELECT status, body, location, request_hash FROM answers
		WHERE caller = $1 AND key = $2 AND created_at > $3 AND (status <> 0 OR created_at > $4)`,
		k.caller, k.key, expired, abandoned).Scan(&kept.status, &kept.body, &kept.location, &kept.request)
	if err == nil {
		return kept, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("look for an answer: %w", err)
	}
	k.at = db.Micros(now)
	var claimed int64
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(ctx, `INSERT INTO answers (caller, key, request_hash, status, body, location, created_at)
			VALUES ($1, $2, $3, 0, $4, '', $5)
			ON CONFLICT (caller, key) DO UPDATE SET request_hash = excluded.request_hash, status = 0, created_at = excluded.created_at
			WHERE answers.created_at <= $6 OR answers.status = 0 AND answers.created_at <= $7 RETURNING created_at`,
			k.caller, k.key, k.request, []byte{}, k.at, expired, abandoned).Scan(&claimed)
	})
	if errors.Is(err, sql.ErrNoRows) { // somebody was quicker
		return &keptAnswer{request: k.request}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("claim a key: %w", err)
	}
	return nil, nil
}

// keepAnswer keeps the answer of a claim. It tells whether that worked.
func (s *Service) keepAnswer(ctx context.Context, k *claim, a keptAnswer) bool {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE answers SET status = $1, body = $2, location = $3
			WHERE caller = $4 AND key = $5 AND status = 0 AND created_at = $6`, a.status, a.body, a.location, k.caller, k.key, k.at)
		return err
	})
	if err != nil {
		s.log.Error("keep the answer of a request", "error", err)
	}
	return err == nil
}

// releaseClaim lets the next request with the key do the work.
func (s *Service) releaseClaim(ctx context.Context, k *claim) {
	ctx, cancel := context.WithTimeout(ctx, claimLife)
	defer cancel()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM answers WHERE caller = $1 AND key = $2 AND status = 0 AND created_at = $3", k.caller, k.key, k.at)
		return err
	})
	if err != nil {
		s.log.Error("release a key", "error", err)
	}
}

package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// uploadToken lets somebody without a key upload into a project, as often as he likes.
type uploadToken struct {
	token   string
	ttl     int64 // seconds, 0 for ever
	created int64 // microseconds
	expires int64 // microseconds, 0 never
}

// maxTTL is what the clients can hold.
const maxTTL = 1<<31 - 1

// errNoUploadToken is the answer to a token that is not there, or no longer.
var errNoUploadToken = problem.NotFound("uploadToken")

// createUploadToken makes a token of a project that lives so many seconds.
func (s *Service) createUploadToken(ctx context.Context, project string, ttl int64) (uploadToken, error) {
	now := time.Now()
	t := uploadToken{token: newID(uploadTokenPrefix), ttl: ttl, created: db.Micros(now)}
	if ttl > 0 {
		t.expires = db.Micros(now.Add(time.Duration(ttl) * time.Second))
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO video_upload_tokens (token, project, ttl, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
			t.token, project, t.ttl, t.created, t.expires)
		return err
	})
	return t, err
}

const uploadTokenColumns = `token, ttl, created_at, expires_at`

func scanUploadToken(row interface{ Scan(...any) error }) (t uploadToken, err error) {
	return t, row.Scan(&t.token, &t.ttl, &t.created, &t.expires)
}

// listUploadTokens is a page of the tokens of a project that can be used.
func (s *Service) listUploadTokens(ctx context.Context, project string, l list) ([]uploadToken, int, error) {
	l.table, l.columns = `video_upload_tokens`, uploadTokenColumns
	l.where, l.args = `project = $1 AND (expires_at = 0 OR expires_at > $2)`, []any{project, db.Micros(time.Now())}
	return pageOf(ctx, s.db, l, func(rows *sql.Rows) (uploadToken, error) { return scanUploadToken(rows) })
}

// uploadToken finds a token of a project that can be used.
func (s *Service) uploadToken(ctx context.Context, project, token string) (uploadToken, error) {
	if !isID(uploadTokenPrefix, token) {
		return uploadToken{}, errNoUploadToken
	}
	t, err := scanUploadToken(s.db.QueryRow(ctx, `SELECT `+uploadTokenColumns+` FROM video_upload_tokens
		WHERE token = $1 AND project = $2 AND (expires_at = 0 OR expires_at > $3)`, token, project, db.Micros(time.Now())))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoUploadToken
	}
	return t, err
}

// deleteUploadToken ends a token.
func (s *Service) deleteUploadToken(ctx context.Context, project, token string) error {
	if !isID(uploadTokenPrefix, token) {
		return errNoUploadToken
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `DELETE FROM video_upload_tokens WHERE token = $1 AND project = $2`, token, project)
		return changedOne(result, err, errNoUploadToken)
	})
}

// sweepUploadTokens forgets those that have ended.
func sweepUploadTokens(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM video_upload_tokens WHERE expires_at > 0 AND expires_at < $1`, db.Micros(now))
	return err
}

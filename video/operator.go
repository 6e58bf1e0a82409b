package video

import (
	"context"
	"time"

	"stoa/internal/db"
)

// operatorLimits is far above what a person does with a page that looks again and again.
var operatorLimits = Limits{Uploads: 6000, Writes: 6000, Reads: 60000}

// ConsoleKeys is how the names of keys begin that OperatorAccess makes.
const ConsoleKeys = "console."

// OperatorAccess is a token of the API for an operator, and how long it is good. Tokens
// stand for keys, so the project gets one that nobody has the text of: suspending or
// deleting it ends the token like any other.
func (s *Service) OperatorAccess(ctx context.Context, project string) (token string, life time.Duration, err error) {
	name := ConsoleKeys + project
	if !keyName.MatchString(name) || !keyName.MatchString(project) {
		return "", 0, errKeyName
	}
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO video_keys (name, project, hash, uploads, writes, reads, suspended, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, FALSE, $7) ON CONFLICT (name) DO NOTHING`,
			name, project, hashOf(newKeyText()), operatorLimits.Uploads, operatorLimits.Writes, operatorLimits.Reads, db.Micros(time.Now()))
		if err != nil {
			return err
		}
		a, err := newAccess(ctx, tx, name)
		token = a.token
		return err
	})
	return token, accessLife, err
}

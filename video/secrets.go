package video

import (
	"context"
	"crypto/rand"
	"fmt"

	"stoa/internal/db"
	"stoa/internal/secret"
)

// secrets is what only the processes of this environment know.
type secrets struct {
	private []byte // signs the tokens of private videos
}

const (
	checkPurpose   = "check"
	privatePurpose = "private tokens"
	secretSize     = 32
)

// openSecrets reads the secrets, and makes what is missing. A process with another
// key than that of the database is refused.
func openSecrets(ctx context.Context, d *db.DB, box *secret.Box) (secrets, error) {
	var s secrets
	err := d.InTx(ctx, func(tx *db.Tx) error {
		check, err := keptSecret(ctx, tx, checkPurpose, []byte(box.Check()))
		if err != nil {
			return err
		}
		if err := box.Accept(string(check)); err != nil {
			return err
		}
		fresh := make([]byte, secretSize)
		rand.Read(fresh)
		sealed, err := keptSecret(ctx, tx, privatePurpose, box.Seal(privatePurpose, fresh))
		if err != nil {
			return err
		}
		s.private, err = box.Open(privatePurpose, sealed)
		return err
	})
	if err != nil {
		return secrets{}, fmt.Errorf("secrets of the videos: %w", err)
	}
	return s, nil
}

// keptSecret is what is stored for a purpose: fresh, if there was nothing.
func keptSecret(ctx context.Context, tx *db.Tx, purpose string, fresh []byte) (kept []byte, err error) {
	_, err = tx.Exec(ctx, `INSERT INTO video_secrets (purpose, sealed) VALUES ($1, $2) ON CONFLICT (purpose) DO NOTHING`, purpose, fresh)
	if err != nil {
		return nil, err
	}
	err = tx.QueryRow(ctx, `SELECT sealed FROM video_secrets WHERE purpose = $1`, purpose).Scan(&kept)
	return kept, err
}

package polls

import (
	"context"
	"fmt"

	"stoa/internal/db"
	"stoa/internal/secret"
	"stoa/polls/internal/credential"
)

// openKeys reads the keys of an environment, and makes those that are missing. All
// processes on the database get the same ones.
func openKeys(ctx context.Context, d *db.DB, box *secret.Box, environment string) (*credential.Keyring, error) {
	var keys []credential.Key
	err := d.InTx(ctx, func(tx *db.Tx) (err error) {
		if keys, err = lockKeys(ctx, tx, box); err != nil {
			return err
		}
		for _, k := range credential.Missing(keys) {
			if err := storeKey(ctx, tx, box, k); err != nil {
				return err
			}
			keys = append(keys, k)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("open the keys of %s: %w", environment, err)
	}
	return credential.NewKeyring(environment, keys)
}

// lockKeys reads the keys, and keeps other processes from making some.
func lockKeys(ctx context.Context, tx *db.Tx, box *secret.Box) ([]credential.Key, error) {
	// The row of a mark is what those who come at once queue for.
	if _, err := tx.Exec(ctx, "UPDATE marks SET value = value WHERE name = $1", markPeople); err != nil {
		return nil, err
	}
	return readKeys(ctx, tx, box)
}

func storeKey(ctx context.Context, tx *db.Tx, box *secret.Box, k credential.Key) error {
	_, err := tx.Exec(ctx, "INSERT INTO secrets (purpose, number, sealed, retired) VALUES ($1, $2, $3, $4)",
		string(k.Purpose), k.Number, box.Seal(keyName(k), k.Secret), k.Retired)
	return err
}

func readKeys(ctx context.Context, q querier, box *secret.Box) ([]credential.Key, error) {
	rows, err := q.Query(ctx, "SELECT purpose, number, sealed, retired FROM secrets")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var keys []credential.Key
	for rows.Next() {
		var k credential.Key
		var sealed []byte
		if err := rows.Scan(&k.Purpose, &k.Number, &sealed, &k.Retired); err != nil {
			return nil, err
		}
		if k.Secret, err = box.Open(keyName(k), sealed); err != nil {
			return nil, fmt.Errorf("%w (%w)", secret.ErrOtherKey, err)
		}
		keys = append(keys, k)
	}
	return keys, rows.Err()
}

// keyName binds a sealed key to its place.
func keyName(k credential.Key) string { return fmt.Sprintf("polls %s %d", k.Purpose, k.Number) }

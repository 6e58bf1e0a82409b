package db

import (
	"context"
	"database/sql"
	"fmt"
)

// InSnapshot runs fn on the database as it is at one moment: what others commit
// meanwhile is not seen. fn must not write.
func (d *DB) InSnapshot(ctx context.Context, fn func(*Tx) error) error {
	options := &sql.TxOptions{ReadOnly: true}
	if d.Postgres() {
		options.Isolation = sql.LevelRepeatableRead // SQLite has no other
	}
	tx, err := d.pools[0].BeginTx(ctx, options)
	if err != nil {
		return fmt.Errorf("begin to read: %w", err)
	}
	defer tx.Rollback() // there is nothing to commit
	return fn(&Tx{run: tx})
}

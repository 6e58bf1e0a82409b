package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// NextIDs takes n fresh numbers of a sequence that a migration made, in
// ascending order. They need not follow on each other, and those of a
// transaction that fails may be lost.
func (d *DB) NextIDs(ctx context.Context, tx *Tx, sequence string, n int) ([]int64, error) {
	if n <= 0 {
		return nil, nil
	}
	take := takeFromTable
	if d.Postgres() {
		take = takeFromSequence
	}
	ids, err := take(ctx, tx, sequence, n)
	if err != nil {
		return nil, fmt.Errorf("take %d numbers of %s: %w", n, sequence, err)
	}
	return ids, nil
}

func takeFromTable(ctx context.Context, tx *Tx, sequence string, n int) ([]int64, error) {
	var last int64
	err := tx.QueryRow(ctx, `UPDATE sequences SET last = last + $1 WHERE name = $2 RETURNING last`, n, sequence).Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errors.New("there is no such sequence")
	}
	if err != nil {
		return nil, err
	}
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = last - int64(n-1-i)
	}
	return ids, nil
}

func takeFromSequence(ctx context.Context, tx *Tx, sequence string, n int) ([]int64, error) {
	rows, err := tx.Query(ctx, `SELECT nextval(CAST(CAST($1 AS TEXT) AS REGCLASS)) FROM generate_series(1, CAST($2 AS BIGINT))`, sequence, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	ids := make([]int64, 0, n)
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids, rows.Err()
}

package video

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// reader is a database, or a transaction.
type reader interface {
	Query(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, text string, args ...any) *sql.Row
}

// eachRow goes through the rows of a query.
func eachRow(ctx context.Context, from reader, do func(*sql.Rows) error, text string, args ...any) error {
	rows, err := from.Query(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// placeholders is $1, $2, … up to n.
func placeholders(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("$%d", i+1)
	}
	return strings.Join(all, ", ")
}

// changedOne is nil if a statement changed a row, and otherwise what went wrong.
func changedOne(result sql.Result, err, none error) error {
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err == nil && n == 0 {
		err = none
	}
	return err
}

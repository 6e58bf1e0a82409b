package analytics

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"strings"

	"stoa/internal/db"
)

// insertRows runs an INSERT for rows of so many columns, given one after the other
// in args. Statements have a number of rows that is a power of two: few texts, each
// prepared once.
func insertRows(ctx context.Context, d *db.DB, tx *db.Tx, head string, columns int, tail string, args []any) error {
	for chunk := range chunks(args, columns, d.RowsAtOnce()) {
		if _, err := tx.Exec(ctx, head+" VALUES "+tuples(len(chunk)/columns, columns)+" "+tail, chunk...); err != nil {
			table, _, _ := strings.Cut(strings.TrimPrefix(head, "INSERT INTO "), " ")
			return fmt.Errorf("write %s: %w", table, err)
		}
	}
	return nil
}

// chunks cuts args into pieces of 1, 2, 4 … most rows.
func chunks(args []any, columns, most int) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for len(args) > 0 {
			n := columns * min(most, 1<<(bits.Len(uint(len(args)/columns))-1))
			if !yield(args[:n]) {
				return
			}
			args = args[n:]
		}
	}
}

// tuples is `($1, $2), ($3, $4)`.
func tuples(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%columns == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", i+1)
	}
	b.WriteByte(')')
	return b.String()
}

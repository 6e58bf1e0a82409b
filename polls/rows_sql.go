package polls

import (
	"context"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// maxRows is how many rows one statement takes.
const maxRows = 64

// sized is a statement for 1, 2, 4 … maxRows rows: few texts, so that each one is
// prepared once and used again.
type sized [7]string

func newSized(text func(rows int) string) (s sized) {
	for i := range s {
		s[i] = text(1 << i)
	}
	return s
}

// of is the text for n rows, a power of two.
func (s *sized) of(n int) string { return s[bits.TrailingZeros(uint(n))] }

// chunks cuts items into pieces whose lengths are powers of two.
func chunks[T any](items []T) iter.Seq[[]T] { return chunksOf(maxRows, items) }

// chunksOf is chunks of so many items at most, a power of two.
func chunksOf[T any](most int, items []T) iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for len(items) > 0 {
			n := min(most, 1<<(bits.Len(uint(len(items)))-1))
			if !yield(items[:n]) {
				return
			}
			items = items[n:]
		}
	}
}

// padded repeats the last item until their number is a power of two, so that a
// question about any number of them has few texts.
func padded[T any](items []T) []T {
	all := slices.Clip(items)
	for len(all)&(len(all)-1) != 0 {
		all = append(all, items[len(items)-1])
	}
	return all
}

// tuples is `($1, $2), ($3, $4)` for rows of so many columns. A column may have a
// type to be cast to: the database cannot guess it in a bare VALUES.
func tuples(rows, columns int, types ...string) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteByte('(')
		for j := range columns {
			if j > 0 {
				b.WriteString(", ")
			}
			if len(types) > 0 {
				fmt.Fprintf(&b, "CAST($%d AS %s)", i*columns+j+1, types[j])
			} else {
				fmt.Fprintf(&b, "$%d", i*columns+j+1)
			}
		}
		b.WriteByte(')')
	}
	return b.String()
}

// list is `$1, $2, $3`, counted from first.
func list(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", first+i)
	}
	return b.String()
}

// orNull stores a zero value as NULL.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

func anys[T any](items []T) []any {
	all := make([]any, len(items))
	for i, item := range items {
		all[i] = item
	}
	return all
}

// readIDs reads one column of numbers. It is never nil.
func readIDs(ctx context.Context, q querier, query string, args ...any) ([]int64, error) {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read ids: %w", err)
	}
	defer rows.Close()
	ids := []int64{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, fmt.Errorf("read ids: %w", err)
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

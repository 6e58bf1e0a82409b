package video

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"stoa/internal/db"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// list asks for one page of the rows of a small table.
type list struct {
	columns string
	table   string
	where   string // with the placeholders of args
	args    []any
	order   string // columns, the last of which tells equal rows apart
	page    paging.Page
}

// readPage reads which page is asked for, in an order by one of some columns: the newest
// first unless another is wanted. sorted gives the column of each sortBy.
func readPage(q url.Values, id string, sorted map[string]string) (l list, err error) {
	page, badPage := paging.Read(q)
	name, descending, badOrder := paging.Order(q, "createdAt desc", slices.Sorted(maps.Keys(sorted))...)
	if err = problem.Join(badPage, badOrder); err != nil {
		return l, err
	}
	l.page = page
	direction := ""
	if descending {
		direction = " DESC"
	}
	l.order = sorted[name] + direction + ", " + id + direction
	return l, nil
}

// and narrows the list by one more condition, in which %d stands for the number of its
// argument.
func (l *list) and(condition string, arg any) {
	l.args = append(l.args, arg)
	l.where += " AND " + fmt.Sprintf(condition, len(l.args))
}

// pageOf reads a page and counts all rows, both at one moment.
func pageOf[T any](ctx context.Context, d *db.DB, l list, scan func(*sql.Rows) (T, error)) (page []T, total int, err error) {
	err = d.InSnapshot(ctx, func(tx *db.Tx) error {
		err := tx.QueryRow(ctx, `SELECT count(*) FROM `+l.table+` WHERE `+l.where, l.args...).Scan(&total)
		if err != nil || l.page.Offset() >= total {
			return err
		}
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			row, err := scan(rows)
			page = append(page, row)
			return err
		}, l.text(), l.args...)
	})
	return page, total, err
}

// text is the query of the page.
func (l list) text() string {
	return fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d OFFSET %d`,
		l.columns, l.table, l.where, l.order, l.page.Size, l.page.Offset())
}

package analytics

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// query is a question to the database: of whom, when, about which playbacks, and
// how the answer is broken down.
type query struct {
	project  string
	from, to int64 // microseconds; to is excluded
	now      int64
	filter   filter
	tagged   map[string]bool // medias with the tag of the filter; nil: it has none
	group    string          // SQL of what the answer is broken down by; "": nothing
	unit     int64           // microseconds of an interval of a time series; 0: none
	unique   bool
	view     int // column of counts
}

// breakdowns are what answers can be broken down by.
var breakdowns = map[string]string{
	"media-id":         "x.media",
	"media-type":       "CASE WHEN x.live THEN 'live-stream' ELSE 'video' END",
	"continent":        "a.continent",
	"country":          "a.country",
	"device-type":      "a.device",
	"operating-system": "a.system",
	"browser":          "a.browser",
	"referrer":         "a.referrer",
}

// values is an answer by group. Without a breakdown the group is "", in a time
// series it is the number of the interval since 1970.
type values map[string]float64

// text is an SQL text with its arguments.
type text struct {
	strings.Builder
	args []any
}

func (t *text) add(format string, args ...any) {
	holders := make([]any, len(args))
	for i, arg := range args {
		t.args = append(t.args, arg)
		holders[i] = fmt.Sprintf("$%d", len(t.args))
	}
	fmt.Fprintf(t, format, holders...)
}

// key is the SQL of the group of a row. moment is a column, or an expression of
// microseconds.
func (q *query) key(moment string) string {
	switch {
	case q.unit != 0:
		return fmt.Sprintf("%s / %d", moment, q.unit)
	case q.group != "":
		return q.group
	}
	return "''"
}

// owner is the media when it must be looked at afterwards.
func (q *query) owner() string {
	if q.tagged != nil {
		return "x.media"
	}
	return "''"
}

// where begins with FROM and ends with the conditions of the filter.
func (q *query) where(t *text, table string) {
	fmt.Fprintf(t, " FROM %s x", table)
	if strings.HasPrefix(q.group, "a.") || slices.ContainsFunc(slices.Collect(maps.Keys(q.filter.lists)), func(column string) bool { return column != "x.media" }) {
		t.WriteString(" JOIN analytics_audiences a ON a.id = x.audience")
	}
	t.add(" WHERE x.project = %s", q.project)
	if q.filter.live != nil {
		t.add(" AND x.live = %s", *q.filter.live)
	}
	for _, column := range slices.Sorted(maps.Keys(q.filter.lists)) {
		fmt.Fprintf(t, " AND %s IN (", column)
		for i, value := range q.filter.lists[column] {
			if i > 0 {
				t.WriteString(", ")
			}
			t.add("%s", value)
		}
		t.WriteString(")")
	}
}

// read runs a text whose rows begin with group and owner, and hands those on that
// have the tag. scan gets the rest of the columns.
func (s *Service) read(ctx context.Context, q *query, t *text, rest []any, take func(group string)) error {
	rows, err := s.db.Query(ctx, t.String(), t.args...)
	if err != nil {
		return fmt.Errorf("ask the analytics: %w", err)
	}
	defer rows.Close()
	var group, owner sql.NullString
	targets := append([]any{&group, &owner}, rest...)
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return fmt.Errorf("read the analytics: %w", err)
		}
		if q.tagged == nil || q.tagged[owner.String] {
			take(group.String)
		}
	}
	return rows.Err()
}

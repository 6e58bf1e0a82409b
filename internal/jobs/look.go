package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

// Job is one as operators see it.
type Job struct {
	ID       int64
	Kind     string
	Lane     string
	State    State
	Args     string    // JSON
	Due      time.Time // before which it does not begin; of one that was given up: when that was
	Failures int       // tries that returned an error, since it was added or tried again
	Attempts int       // failures after which it is given up; 0: this process does not know
	Deaths   int       // tries that ended with their process
	Worker   string    // the process that runs it
	Ending   bool      // it is being given up: its owner is still to be told
	Error    string    // the last one
}

// Which chooses jobs; the zero value is all.
type Which struct {
	State  State  // "": any
	Kind   string // "": any
	Before int64  // ids below this one; 0: any
}

// List is up to limit jobs, those that were added last first.
func (q *Queue) List(ctx context.Context, w Which, limit int) ([]Job, error) {
	text, args := w.condition()
	rows, err := q.db.Query(ctx, fmt.Sprintf(`SELECT %s FROM jobs%s ORDER BY id DESC LIMIT $%d`, jobColumns, text, len(args)+1), append(args, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	defer rows.Close()
	var found []Job
	for rows.Next() {
		j, err := q.scanJob(rows)
		if err != nil {
			return nil, fmt.Errorf("list jobs: %w", err)
		}
		found = append(found, j)
	}
	return found, rows.Err()
}

func (w Which) condition() (text string, args []any) {
	var all []string
	add := func(test string, value any) {
		args = append(args, value)
		all = append(all, fmt.Sprintf("%s $%d", test, len(args)))
	}
	if w.State != "" {
		add("state =", string(w.State))
	}
	if w.Kind != "" {
		add("kind =", w.Kind)
	}
	if w.Before != 0 {
		add("id <", w.Before)
	}
	if len(all) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(all, " AND "), args
}

var errNoJob = fault.New(fault.NotFound, "there is no such job: it is done, or was discarded")

// Get is one job. What is done is not found.
func (q *Queue) Get(ctx context.Context, id int64) (Job, error) {
	return q.one(q.db.QueryRow(ctx, `SELECT `+jobColumns+` FROM jobs WHERE id = $1`, id))
}

func (q *Queue) one(row *sql.Row) (Job, error) {
	j, err := q.scanJob(row)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return j, errNoJob
	case err != nil:
		return j, fmt.Errorf("read a job: %w", err)
	}
	return j, nil
}

const jobColumns = `id, kind, lane, state, args, due, failures, deaths, COALESCE(worker, ''), ending, error`

func (q *Queue) scanJob(row interface{ Scan(...any) error }) (j Job, err error) {
	var due int64
	err = row.Scan(&j.ID, &j.Kind, &j.Lane, &j.State, &j.Args, &due, &j.Failures, &j.Deaths, &j.Worker, &j.Ending, &j.Error)
	j.Due, j.Ending = db.Time(due), j.Ending && j.State != GivenUp
	if h := q.handlers[j.Kind]; h != nil {
		j.Attempts = h.attempts
	}
	return j, err
}

// Counts is how many jobs there are of each kind in each state.
func (q *Queue) Counts(ctx context.Context) (map[string]map[State]int, error) {
	rows, err := q.db.Query(ctx, `SELECT kind, state, count(*) FROM jobs GROUP BY kind, state`)
	if err != nil {
		return nil, fmt.Errorf("count jobs: %w", err)
	}
	defer rows.Close()
	counts := map[string]map[State]int{}
	for rows.Next() {
		var kind string
		var state State
		var n int
		if err := rows.Scan(&kind, &state, &n); err != nil {
			return nil, fmt.Errorf("count jobs: %w", err)
		}
		if counts[kind] == nil {
			counts[kind] = map[State]int{}
		}
		counts[kind][state] = n
	}
	return counts, rows.Err()
}

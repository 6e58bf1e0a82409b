package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"stoa/internal/db"
)

// lane is a number of places for jobs of some kinds.
type lane struct {
	name  string
	kinds []any // that this process knows; newer ones are for newer processes
	free  int

	look, take string // whether there is a job, and take some
}

// job is one that this process has taken.
type job struct {
	*handler
	id       int64
	args     []byte
	lease    int64
	failures int
	ending   bool
	trace    string
	why      error // it is given up, if ending
}

func (l *lane) prepare(d *db.DB) {
	due := `FROM jobs WHERE state = 'waiting' AND lane = $1 AND due <= $2 AND kind IN (` + placeholders(3, len(l.kinds)) + `)`
	l.look = `SELECT 1 ` + due + ` LIMIT 1`
	n := len(l.kinds) + 3
	l.take = fmt.Sprintf(`WITH picked (number) AS MATERIALIZED (SELECT id %s ORDER BY priority, due, id LIMIT $%d%s)
		UPDATE jobs SET state = 'running', worker = $%d, lease = lease + 1 FROM picked WHERE id = number
		RETURNING id, kind, args, lease, failures, ending, error, trace`, due, n, d.SkipLocked(), n+1)
}

func placeholders(first, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "$%d", first+i)
	}
	return b.String()
}

// take takes up to n jobs. It reads first, for a look at an empty lane should
// hold up nobody who writes.
func (w *worker) take(ctx context.Context, l *lane, n int) ([]*job, error) {
	args := append([]any{l.name, db.Micros(time.Now())}, l.kinds...)
	var one int
	err := w.db.QueryRow(ctx, l.look, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var id string
	var taken []*job
	err = w.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if id, err = w.sayAlive(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, l.take, append(args, n, id)...)
		if err != nil {
			return err
		}
		taken, err = w.scan(rows)
		return err
	})
	if errors.Is(err, errLost) {
		w.lose(id)
	}
	if err != nil { // disown looks whether it holds nevertheless
		return nil, err
	}
	return taken, nil
}

func (q *Queue) scan(rows *sql.Rows) (taken []*job, err error) {
	defer rows.Close()
	for rows.Next() {
		var j job
		var kind, args, why string
		if err := rows.Scan(&j.id, &kind, &args, &j.lease, &j.failures, &j.ending, &why, &j.trace); err != nil {
			return nil, err
		}
		j.handler, j.args, j.why = q.handlers[kind], []byte(args), errors.New(why)
		taken = append(taken, &j)
	}
	return taken, rows.Err()
}

// disown puts back jobs that are ours in the table only: nobody knew whether the
// commit held that took them.
func (w *worker) disown(ctx context.Context) error {
	rows, err := w.db.Query(ctx, `SELECT id, lease FROM jobs WHERE worker = $1`, w.name())
	if err != nil {
		return err
	}
	defer rows.Close()
	type number struct{ id, lease int64 }
	var strange []number
	ours := w.numbers()
	for rows.Next() {
		var n number
		if err := rows.Scan(&n.id, &n.lease); err != nil {
			return err
		}
		if !ours[n.id] {
			strange = append(strange, n)
		}
	}
	if err := rows.Err(); err != nil || len(strange) == 0 {
		return err
	}
	return w.db.InTx(ctx, func(tx *db.Tx) error {
		for _, n := range strange {
			if _, err := tx.Exec(ctx, `UPDATE jobs SET `+backInLine+` WHERE id = $1 AND lease = $2 AND worker IS NOT NULL`, n.id, n.lease); err != nil {
				return err
			}
		}
		tx.AfterCommit(w.wakeUp)
		return nil
	})
}

// numbers are the ids of the jobs that run here.
func (w *worker) numbers() map[int64]bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := map[int64]bool{}
	for j := range w.running {
		ids[j.id] = true
	}
	return ids
}

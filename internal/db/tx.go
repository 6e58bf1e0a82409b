package db

import (
	"context"
	"database/sql"
	"time"
)

// commitTime is how long PostgreSQL may take to answer a COMMIT. A context that
// ends meanwhile does not cut it off, for that would leave the outcome unknown.
const commitTime = 15 * time.Second

// Tx is a write transaction. It belongs to the function that InTx runs: not for
// other goroutines, not for later. Rows must be closed before the next
// statement. After a statement that failed nothing more is done and the
// transaction is rolled back; sql.ErrNoRows is no failure.
type Tx struct {
	run   runner
	after []func()
}

// Exec runs a text without rows.
func (t *Tx) Exec(ctx context.Context, text string, args ...any) (sql.Result, error) {
	return t.run.ExecContext(ctx, text, args...)
}

// Query runs a text with rows, which may change something too (RETURNING).
func (t *Tx) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	return t.run.QueryContext(ctx, text, args...)
}

// QueryRow is Query for one row, or sql.ErrNoRows.
func (t *Tx) QueryRow(ctx context.Context, text string, args ...any) *sql.Row {
	return t.run.QueryRowContext(ctx, text, args...)
}

// AfterCommit has fn called when the transaction has been committed, before InTx
// returns; never when it was not, or when nobody knows.
func (t *Tx) AfterCommit(fn func()) { t.after = append(t.after, fn) }

// InTx runs fn in one transaction and commits. When fn returns an error, or ctx
// ends before the commit begins, nothing is changed and that error is returned.
// When the commit fails so that nobody knows whether it holds, the error is
// ErrUnknownOutcome.
//
// On SQLite transactions run one after the other, so fn must not call InTx;
// waiting for the turn, and for another process that writes, ends with ctx. A context that can end costs
// SQLite some microseconds a statement: a hot path may use one in fn that
// cannot.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	var tx Tx
	err := d.commit(ctx, &tx, fn)
	if err != nil {
		d.tellFailed(err)
		return err
	}
	for _, tell := range tx.after {
		tell()
	}
	return nil
}

func (d *DB) commit(ctx context.Context, tx *Tx, fn func(*Tx) error) error {
	if d.file != nil {
		return d.file.writer.inTx(ctx, tx, fn)
	}
	return d.server.inTx(ctx, tx, fn)
}

func (s *server) inTx(ctx context.Context, t *Tx, fn func(*Tx) error) error {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	stop := context.AfterFunc(ctx, end)
	defer stop()
	tx, err := s.write.BeginTx(life, nil)
	if err != nil {
		return because(ctx, err)
	}
	defer tx.Rollback() // an error after the commit, and of no interest before it
	t.run = tx
	if err := fn(t); err != nil {
		return err
	}
	if !stop() { // ctx has ended, and the transaction with it
		return because(ctx, sql.ErrTxDone)
	}
	timer := time.AfterFunc(commitTime, end)
	defer timer.Stop()
	return judgePostgresCommit(tx.Commit())
}

// because prefers the end of ctx as the reason.
func because(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	return err
}

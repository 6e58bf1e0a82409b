package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// maxStatements bounds the prepared statements of a connection or a pool.
const maxStatements = 256

var errClosed = errors.New("the database is closed")

// writer is the one connection of this process that writes to the SQLite file.
// Whoever holds the turn may use it.
type writer struct {
	turn   chan struct{}
	closed chan struct{}
	conn   *sql.Conn
	stmts  *statements
	failed error // of the transaction under way

	dataVersion int64 // see ChangedByOthers
}

// newWriter connects, which makes the file a database with a write-ahead log.
// Others may be doing the same.
func newWriter(ctx context.Context, pool *sql.DB) (*writer, error) {
	w := &writer{turn: make(chan struct{}, 1), closed: make(chan struct{})}
	err := whileBusy(ctx, func() (err error) {
		w.conn, err = pool.Conn(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	w.stmts = newStatements(w.conn)
	if w.dataVersion, err = w.readDataVersion(ctx); err != nil {
		return nil, errors.Join(err, w.conn.Close())
	}
	w.turn <- struct{}{}
	return w, nil
}

// inTx runs fn between BEGIN and COMMIT.
func (w *writer) inTx(ctx context.Context, t *Tx, fn func(*Tx) error) error {
	if err := w.take(ctx); err != nil {
		return err
	}
	defer w.giveBack()
	if err := w.begin(ctx); err != nil {
		return err
	}
	committed := false
	defer func() { // also when fn panics
		if !committed {
			_ = w.exec("ROLLBACK") // SQLite may have done it already
		}
	}()
	t.run = w
	if err := fn(t); err != nil {
		return err
	}
	if w.failed != nil {
		return fmt.Errorf("a statement of the transaction failed: %w", w.failed)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := w.exec("COMMIT"); err != nil {
		return judgeSQLiteCommit(err)
	}
	committed = true
	return nil
}

// take waits for the turn.
func (w *writer) take(ctx context.Context) error {
	select {
	case <-w.turn:
		return nil
	case <-w.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// giveBack ends the turn. Nothing is running, so this is the moment to forget
// statements if texts without end were prepared.
func (w *writer) giveBack() {
	w.failed = nil
	if w.stmts.full() {
		w.stmts.forget()
	}
	w.turn <- struct{}{}
}

func (w *writer) begin(ctx context.Context) error {
	return whileBusy(ctx, func() error { return w.exec("BEGIN IMMEDIATE") })
}

// exec is for the words around a transaction, which must not be cut off in the
// middle by a context.
func (w *writer) exec(text string) error {
	_, err := w.stmts.ExecContext(context.Background(), text)
	return err
}

// The statements of a transaction. After a failed one SQLite may have rolled
// back, and the next would be committed on its own; so nothing more is run, as
// PostgreSQL has it too.

func (w *writer) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if w.failed != nil {
		return nil, w.failed
	}
	result, err := w.stmts.ExecContext(ctx, text, args...)
	w.failed = err
	return result, err
}

func (w *writer) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if w.failed != nil {
		return nil, w.failed
	}
	rows, err := w.stmts.QueryContext(ctx, text, args...)
	w.failed = err
	return rows, err
}

func (w *writer) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	if w.failed != nil { // a Row with an error can only be had by a query that fails
		ended, end := context.WithCancel(ctx)
		end()
		return w.conn.QueryRowContext(ended, text, args...)
	}
	row := w.stmts.QueryRowContext(ctx, text, args...)
	w.failed = row.Err()
	return row
}

// close waits for the transaction under way.
func (w *writer) close() error {
	if err := w.take(context.Background()); err != nil {
		return nil // closed before
	}
	close(w.closed)
	return w.conn.Close()
}

// whileBusy tries again as long as another process holds the file. SQLite could
// wait by itself, but would not notice that ctx ends.
func whileBusy(ctx context.Context, try func() error) error {
	for deadline := time.Now().Add(busyTime); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := try()
		if !isBusy(err) || time.Now().After(deadline) {
			return err
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

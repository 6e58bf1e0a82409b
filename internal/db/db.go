// Package db keeps rows in a SQLite file or in PostgreSQL, with one SQL text
// for both.
//
// Reads go through [DB.Query] and [DB.QueryRow], changes through [DB.InTx],
// which commits before it returns: what was acknowledged survives a power cut.
// On SQLite one connection writes and others only read, so a reader never waits
// for the writer. On PostgreSQL any number of processes may write at once.
//
// Both engines take $1 placeholders, RETURNING, ON CONFLICT, row values and
// WITH n (a, b) AS (VALUES …) UPDATE … FROM n; SQLite knows no names of columns
// behind "FROM (VALUES …) AS n". PostgreSQL wants a CAST in the first row of a
// VALUES list that is not of an INSERT. Times are BIGINT microseconds, see
// [Micros]. Where the engines differ there is one method here, and no "if" in
// the packages that own the tables.
package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Options changes what Open makes; the zero value is good.
type Options struct {
	Log        *slog.Logger // nil: silent
	MaxReaders int          // connections that read at once; 0: 8
	// Failed is told of questions and transactions that were not answered. May be nil.
	Failed func(error)
}

// DB is a database of either engine. All its methods may be called at once.
type DB struct {
	log    *slog.Logger
	failed func(error)
	reader runner
	pools  []*sql.DB // closed with the DB; the first one reads

	// One of the two is set.
	file   *file
	server *server
}

// A runner runs SQL: a pool, a transaction, or a set of prepared statements.
type runner interface {
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row
}

// file is the SQLite side of a DB.
type file struct {
	path   string
	writer *writer
}

// server is the PostgreSQL side of a DB.
type server struct {
	config *pgx.ConnConfig
	write  *sql.DB
}

// Open takes the path of a SQLite file, which is made with its folder when
// absent, or a postgres:// URL of a database that must exist. It does not
// migrate. It fails when the server does not answer; [IsUnavailable] then says
// whether to try again.
func Open(ctx context.Context, where string, o Options) (*DB, error) {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.MaxReaders = cmp.Or(max(o.MaxReaders, 0), 8)
	scheme, _, isURL := strings.Cut(where, "://")
	open := openSQLite
	switch {
	case where == "":
		return nil, errors.New("no database named: give a file path or a postgres:// URL")
	case scheme == "postgres" || scheme == "postgresql":
		open = openPostgres
	case isURL:
		return nil, fmt.Errorf("no database of kind %s:// is known: give a file path or a postgres:// URL", scheme)
	}
	d, err := open(ctx, where, o)
	if err == nil {
		d.failed = o.Failed
	}
	return d, err
}

// Close ends all connections. Transactions and open rows must have ended.
func (d *DB) Close() error {
	var faults []error
	if d.file != nil {
		faults = append(faults, d.file.writer.close())
	}
	for _, pool := range d.pools {
		faults = append(faults, pool.Close())
	}
	return errors.Join(faults...)
}

// Check tells whether the database answers.
func (d *DB) Check(ctx context.Context) error {
	var one int
	return d.QueryRow(ctx, `SELECT 1`).Scan(&one)
}

// Postgres tells the engine, for settings pages and logs. SQL that differs has
// methods of its own.
func (d *DB) Postgres() bool { return d.server != nil }

// Query reads. A text that changes something fails on SQLite. The caller closes
// the rows; until then they hold one of the reading connections.
func (d *DB) Query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	rows, err := d.reader.QueryContext(ctx, text, args...)
	if err != nil {
		d.tellFailed(err)
	}
	return rows, err
}

// tellFailed tells of what is no fault of who asked.
func (d *DB) tellFailed(err error) {
	if d.failed != nil && IsUnavailable(err) {
		d.failed(err)
	}
}

// QueryRow is Query for one row, or sql.ErrNoRows.
func (d *DB) QueryRow(ctx context.Context, text string, args ...any) *sql.Row {
	return d.reader.QueryRowContext(ctx, text, args...)
}

// ForUpdate ends a SELECT whose rows must stay as they are until the
// transaction ends. On SQLite it is empty: nobody else writes meanwhile.
func (d *DB) ForUpdate() string {
	if d.Postgres() {
		return " FOR UPDATE"
	}
	return ""
}

// ForShare is ForUpdate for many who only want the rows to stay.
func (d *DB) ForShare() string {
	if d.Postgres() {
		return " FOR SHARE"
	}
	return ""
}

// SkipLocked is ForUpdate for somebody who takes other rows rather than wait for
// those that another transaction holds.
func (d *DB) SkipLocked() string {
	if d.Postgres() {
		return " FOR UPDATE SKIP LOCKED"
	}
	return ""
}

// RowsAtOnce is how many rows a statement should write, if there are many.
// PostgreSQL is asked less often then; SQLite, which is in this process, keeps a
// journal for every statement of several rows, and is faster one by one.
func (d *DB) RowsAtOnce() int {
	if d.Postgres() {
		return 64
	}
	return 1
}

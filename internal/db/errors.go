package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrUnknownOutcome is returned by InTx when the connection or the disk failed
// in the COMMIT.
var ErrUnknownOutcome = errors.New("the database did not say whether the change holds: look before you try again")

// IsUnique tells that a row with the same key was there already.
func IsUnique(err error) bool {
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return fault.Code == "23505"
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// IsUnavailable tells that the same call may work later: no connection, a
// server that starts or stops, a full disk, a lock, a deadline that passed. A
// context that was cancelled is not counted: nobody waits for the answer.
func IsUnavailable(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) {
		return false
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	if fault, ok := errors.AsType[*pgconn.PgError](err); ok {
		return laterOnPostgres(fault.Code)
	}
	if code := sqliteCode(err); code != 0 {
		return laterOnSQLite(code)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return true
	}
	known := []error{ErrUnknownOutcome, errClosed, driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF,
		net.ErrClosed, context.DeadlineExceeded}
	return slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) }) || pgconn.SafeToRetry(err)
}

func laterOnPostgres(code string) bool {
	switch code {
	case "25006", // the server became a standby
		"40001", "40P01", "55P03": // another transaction was in the way
		return true
	}
	// Connection, resources, operator at work, disk.
	return slices.Contains([]string{"08", "53", "57", "58"}, code[:min(2, len(code))])
}

func laterOnSQLite(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOMEM:
		return true
	}
	return false
}

func isBusy(err error) bool { return sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY }

// sqliteCode is the extended result code, 0 for errors of others.
func sqliteCode(err error) int {
	if fault, ok := errors.AsType[*sqlite.Error](err); ok {
		return fault.Code()
	}
	return 0
}

// judgeSQLiteCommit: when writing or syncing the log fails, the commit may be
// found in it after a restart.
func judgeSQLiteCommit(err error) error {
	if sqliteCode(err)&0xff == sqlite3.SQLITE_IOERR {
		return unknown(err)
	}
	return fmt.Errorf("commit: %w", err)
}

// judgePostgresCommit: an answer of a server that goes on is a clear no.
func judgePostgresCommit(err error) error {
	switch fault, answered := errors.AsType[*pgconn.PgError](err); {
	case err == nil:
		return nil
	case answered && fault.Severity == "ERROR" && !strings.HasPrefix(fault.Code, "08"),
		errors.Is(err, pgx.ErrTxCommitRollback), errors.Is(err, sql.ErrTxDone), pgconn.SafeToRetry(err):
		return fmt.Errorf("commit: %w", err)
	}
	return unknown(err)
}

func unknown(err error) error { return fmt.Errorf("%w: %w", ErrUnknownOutcome, err) }

package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/pressly/goose/v3"
)

// word is a name that may stand in SQL as it is.
var word = regexp.MustCompile(`^[a-z][a-z0-9_]{0,40}$`)

// Migrate brings the tables of a room up to date. Its files are
// migrations/001_what.sql and so on, with goose's "-- +goose Up" above the
// statements and the words of migrationWords in them. What was done is kept in
// the table <room>_schema. Of several processes that call it at once, one does
// the work and the others wait for it.
func (d *DB) Migrate(ctx context.Context, room string, files fs.FS) error {
	if err := d.migrate(ctx, room, files); err != nil {
		return fmt.Errorf("migrate %s: %w", room, err)
	}
	return nil
}

func (d *DB) migrate(ctx context.Context, room string, files fs.FS) (err error) {
	unlock, err := d.lockMigrations(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	pool, done, err := d.migrationPool(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	provider, err := d.provider(pool, room, files)
	if err != nil {
		return err
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return err
	}
	for _, r := range results {
		d.log.Info("migrated", "room", room, "file", r.Source.Path, "took", r.Duration)
	}
	return nil
}

// migrationPool is, on SQLite, a connection of its own that waits by itself for
// other writers.
func (d *DB) migrationPool(ctx context.Context) (pool *sql.DB, done func() error, err error) {
	if d.Postgres() {
		return d.server.write, func() error { return nil }, nil
	}
	if pool, err = sql.Open("sqlite", writeDSN(d.file.path, busyTime)); err != nil {
		return nil, nil, err
	}
	pool.SetMaxOpenConns(1)
	_, err = pool.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS sequences (name TEXT PRIMARY KEY, last BIGINT NOT NULL) WITHOUT ROWID`)
	if err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	return pool, pool.Close, nil
}

// Pending is how many files Migrate would run now. It changes nothing.
func (d *DB) Pending(ctx context.Context, room string, files fs.FS) (int, error) {
	provider, err := d.provider(d.pools[0], room, files)
	if err != nil {
		return 0, fmt.Errorf("migrations of %s: %w", room, err)
	}
	known, err := d.hasTable(ctx, schemaTable(room))
	if err != nil {
		return 0, err
	}
	if !known { // asking goose would make the table
		return len(provider.ListSources()), nil
	}
	status, err := provider.Status(ctx)
	if err != nil {
		return 0, fmt.Errorf("migrations of %s: %w", room, err)
	}
	n := 0
	for _, s := range status {
		if s.State == goose.StatePending {
			n++
		}
	}
	return n, nil
}

func (d *DB) provider(pool *sql.DB, room string, files fs.FS) (*goose.Provider, error) {
	if !word.MatchString(room) {
		return nil, fmt.Errorf("%q is no name of a room: want small letters, digits and _", room)
	}
	dialect := goose.DialectSQLite3
	if d.Postgres() {
		dialect = goose.DialectPostgres
	}
	if sub, err := fs.Stat(files, "migrations"); err == nil && sub.IsDir() {
		if files, err = fs.Sub(files, "migrations"); err != nil {
			return nil, err
		}
	}
	return goose.NewProvider(dialect, pool, migrationFiles{files, d.migrationWords()},
		goose.WithTableName(schemaTable(room)), goose.WithDisableGlobalRegistry(true))
}

func schemaTable(room string) string { return room + "_schema" }

func (d *DB) hasTable(ctx context.Context, name string) (found bool, err error) {
	text := `SELECT count(*) > 0 FROM sqlite_master WHERE type = 'table' AND name = $1`
	if d.Postgres() {
		text = `SELECT to_regclass(CAST($1 AS TEXT)) IS NOT NULL`
	}
	err = d.QueryRow(ctx, text, name).Scan(&found)
	return found, err
}

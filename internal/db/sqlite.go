package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite" // the driver called "sqlite"
)

// busyTime is how long a write waits for another process that writes to the
// same SQLite file.
const busyTime = 10 * time.Second

func openSQLite(ctx context.Context, path string, o Options) (*DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := makeFile(path); err != nil {
		return nil, err
	}
	write, err := sql.Open("sqlite", writeDSN(path, 0))
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	w, err := newWriter(ctx, write)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), write.Close())
	}
	read, err := sql.Open("sqlite", readDSN(path))
	if err != nil {
		return nil, errors.Join(err, w.close(), write.Close())
	}
	read.SetMaxOpenConns(o.MaxReaders)
	read.SetMaxIdleConns(o.MaxReaders)
	return &DB{
		log:    o.Log,
		reader: newStatements(read),
		pools:  []*sql.DB{read, write},
		file:   &file{path: path, writer: w},
	}, nil
}

// makeFile makes the file for its owner alone; SQLite gives the files beside it
// the same mode. A file that is there is not even opened: closing it would drop
// the locks that other connections of this process hold on it.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the folder of the database: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	return f.Close()
}

// writeDSN opens for writing. SQLite itself waits for the lock of another
// process as long as busy says, deaf to contexts.
func writeDSN(path string, busy time.Duration) string {
	return dsn(path, url.Values{
		"_busy_timeout": {fmt.Sprint(busy.Milliseconds())},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_foreign_keys": {"1"},
		"_txlock":       {"immediate"},
		"_pragma": {
			"cache_size(-16384)",           // kibibytes
			"wal_autocheckpoint(16000)",    // pages: the more of them, the fewer are copied twice
			"journal_size_limit(67108864)", // bytes that the log keeps after a large transaction
		},
	})
}

func readDSN(path string) string {
	return dsn(path, url.Values{
		"_busy_timeout": {fmt.Sprint(busyTime.Milliseconds())}, // only while somebody repairs or closes the log
		"_query_only":   {"1"},
		"_pragma":       {"cache_size(-4096)"},
	})
}

// dsn refuses "double quoted" strings, as PostgreSQL does.
func dsn(path string, options url.Values) string {
	options.Set("_dqs", "0")
	return (&url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}).String()
}

package db

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Own makes this process the only server of a SQLite file, until release is
// called or the process dies. Commands that only write now and then need not
// own it. PostgreSQL may have any number of servers: nothing is done.
func (d *DB) Own() (release func() error, err error) {
	if d.Postgres() {
		return func() error { return nil }, nil
	}
	lock, err := os.OpenFile(d.file.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("own the database: %w", err)
	}
	mine, err := tryLock(lock)
	if mine {
		return lock.Close, nil
	}
	if err == nil {
		err = fmt.Errorf("%s is served by another process: stop that one, or give this one another database", d.file.path)
	}
	return nil, errors.Join(err, lock.Close())
}

// tryLock locks a file, or a folder, until it is closed. Two open files exclude
// each other even in one process.
func tryLock(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return true, nil
}

// lockMigrations waits until no other process migrates this database.
func (d *DB) lockMigrations(ctx context.Context) (unlock func() error, err error) {
	if d.Postgres() {
		return d.server.lockMigrations(ctx)
	}
	// The folder, so that no file is left behind. Not the database: see makeFile.
	folder, err := os.Open(filepath.Dir(d.file.path))
	if err != nil {
		return nil, err
	}
	if err := await(ctx, func() (bool, error) { return tryLock(folder) }); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder.Close, nil
}

// lockMigrations holds the lock by a connection of its own. It asks again and
// again instead of waiting in the server, where a waiting statement would hold
// up CREATE INDEX CONCURRENTLY.
func (s *server) lockMigrations(ctx context.Context) (unlock func() error, err error) {
	const lock = 0x73746f61 // "stoa"
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return nil, err
	}
	unlock = func() error { return hangUp(conn) }
	err = await(ctx, func() (mine bool, err error) {
		err = conn.QueryRow(ctx, `SELECT pg_try_advisory_lock($1)`, lock).Scan(&mine)
		return mine, err
	})
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

func await(ctx context.Context, try func() (bool, error)) error {
	for {
		if done, err := try(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

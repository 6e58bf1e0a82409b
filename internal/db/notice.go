package db

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// ChangedByOthers tells whether another process has committed to the SQLite
// file since the last call, or since Open. On PostgreSQL it is always false.
func (d *DB) ChangedByOthers(ctx context.Context) (bool, error) {
	if d.Postgres() {
		return false, nil
	}
	w := d.file.writer
	if err := w.take(ctx); err != nil {
		return false, err
	}
	defer w.giveBack()
	version, err := w.readDataVersion(ctx)
	if err != nil {
		return false, err
	}
	changed := version != w.dataVersion
	w.dataVersion = version
	return changed, nil
}

// readDataVersion reads a number that changes with the commits of all
// connections but this one.
func (w *writer) readDataVersion(ctx context.Context) (version int64, err error) {
	err = w.stmts.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&version)
	return version, err
}

// Notify tells all listeners of a channel, outside any transaction. PostgreSQL
// takes up to 7999 bytes. On SQLite there is nobody to tell.
func (d *DB) Notify(ctx context.Context, channel, payload string) error {
	if !d.Postgres() {
		return nil
	}
	_, err := d.server.write.ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel, payload)
	return err
}

// Listen hands over what Notify tells, of this process too, until ctx ends; it
// returns nil then. It connects again when the connection is lost: notices of
// the time between are lost, so connected is called each time that listening
// has begun. On SQLite it only waits. got and connected must not block.
func (d *DB) Listen(ctx context.Context, channel string, got func(payload string), connected func()) error {
	if !d.Postgres() {
		<-ctx.Done()
		return nil
	}
	const shortest, longest = 100 * time.Millisecond, 5 * time.Second
	pause := shortest
	for ctx.Err() == nil {
		err := d.server.listen(ctx, channel, got, func() { pause = shortest; connected() })
		if ctx.Err() != nil {
			break
		}
		d.log.Warn("listening for notices was interrupted", "channel", channel, "err", err, "again_in", pause)
		select {
		case <-ctx.Done():
		case <-time.After(pause/2 + rand.N(pause/2)):
		}
		pause = min(2*pause, longest)
	}
	return nil
}

// listen serves one connection until it fails.
func (s *server) listen(ctx context.Context, channel string, got func(string), connected func()) (err error) {
	conn, err := pgx.ConnectConfig(ctx, s.config)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hangUp(conn)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return err
	}
	connected()
	for {
		notice, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		got(notice.Payload)
	}
}

package db

import "context"

// Engine is what keeps the database, with its version, for people.
func (d *DB) Engine(ctx context.Context) (string, error) {
	name, text := "SQLite ", `SELECT sqlite_version()`
	if d.Postgres() {
		name, text = "PostgreSQL ", `SELECT current_setting('server_version')`
	}
	var version string
	err := d.QueryRow(ctx, text).Scan(&version)
	return name + version, err
}

// Size is how many bytes the database takes, without its journal.
func (d *DB) Size(ctx context.Context) (bytes int64, err error) {
	text := `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`
	if d.Postgres() {
		text = `SELECT pg_database_size(current_database())`
	}
	err = d.QueryRow(ctx, text).Scan(&bytes)
	return bytes, err
}

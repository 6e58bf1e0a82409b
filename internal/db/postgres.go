package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// maxWriters is how many transactions run at once in this process, beside the
// readers.
const maxWriters = 6

func openPostgres(ctx context.Context, where string, o Options) (*DB, error) {
	config, err := pgx.ParseConfig(where)
	if err != nil {
		return nil, fmt.Errorf("the URL of the database: %w", err) // without the password
	}
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, 5*time.Second)
	config.RuntimeParams["default_transaction_isolation"] = "read committed" // stricter ones refuse what waited for a lock
	if config.RuntimeParams["plan_cache_mode"] == "" {
		// A plan that is kept from when a table was empty reads all of it when it is
		// large, until the statistics are made anew.
		config.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	}
	read, write := stdlib.OpenDB(*config), stdlib.OpenDB(*config)
	for pool, size := range map[*sql.DB]int{read: o.MaxReaders, write: maxWriters} {
		pool.SetMaxOpenConns(size)
		pool.SetMaxIdleConns(size)
		pool.SetConnMaxIdleTime(5 * time.Minute)
	}
	if err := write.PingContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("connect to the database: %w", err), read.Close(), write.Close())
	}
	return &DB{
		log:    o.Log,
		reader: read,
		pools:  []*sql.DB{read, write},
		server: &server{config: config, write: write},
	}, nil
}

// hangUp closes a connection that no pool cares for, also one whose other end
// is silent.
func hangUp(conn *pgx.Conn) error {
	ctx, end := context.WithTimeout(context.Background(), 2*time.Second)
	defer end()
	return conn.Close(ctx)
}

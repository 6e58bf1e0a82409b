package dbtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// startTime is how long the server may take for anything, on a busy machine.
const startTime = time.Minute

// Postgres is the URL of an empty database. What is connected to it is cut off
// when the test ends.
func Postgres(t testing.TB) string {
	t.Helper()
	admin, discard, err := server()
	if err != nil {
		t.Fatal(err)
	}
	name, err := fresh(admin)
	if err != nil {
		t.Fatal(err)
	}
	where := named(admin, name)
	t.Cleanup(func() {
		if err := discard(admin, name); err != nil {
			t.Errorf("leave the database of the test: %v", err)
		}
	})
	return where
}

// server is the URL of the server and what to do with a database of a test
// there. Making and dropping them syncs the whole server, which takes a second
// on a busy machine; so on our own they are emptied and used again.
func server() (admin string, discard func(admin, name string) error, err error) {
	if given := os.Getenv("STOA_TEST_POSTGRES"); given != "" {
		return given, drop, nil
	}
	admin, err = started()
	return admin, recycle, err
}

var (
	databases atomic.Int64
	emptied   = make(chan string, 100)
)

func fresh(admin string) (name string, err error) {
	select {
	case name = <-emptied:
		return name, nil
	default:
		name = fmt.Sprintf("stoa_test_%d_%d", os.Getpid(), databases.Add(1))
		return name, run(admin, "CREATE DATABASE "+name)
	}
}

func recycle(admin, name string) error {
	err := run(named(admin, name),
		`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
		`DROP SCHEMA public CASCADE`,
		`CREATE SCHEMA public`)
	if err != nil {
		return err
	}
	select {
	case emptied <- name:
		return nil
	default:
		return drop(admin, name)
	}
}

func drop(admin, name string) error { return run(admin, "DROP DATABASE "+name+" WITH (FORCE)") }

// named leads to another database of the same server.
func named(admin, name string) string {
	u, err := url.Parse(admin)
	if err != nil {
		panic(fmt.Sprintf("STOA_TEST_POSTGRES: %v", err))
	}
	u.Path = "/" + name
	return u.String()
}

// run has a time of its own: cleanups come when the test's context has ended.
func run(where string, texts ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTime)
	defer cancel()
	conn, err := pgx.Connect(ctx, where)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, text := range texts {
		if _, err := conn.Exec(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

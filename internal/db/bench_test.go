package db

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A group is what one commit of the hot path holds.
const group = 64

const upsert = `INSERT INTO votes (poll, voter, choice) VALUES ($1, $2, $3)
	ON CONFLICT (poll, voter) DO UPDATE SET choice = excluded.choice`

func BenchmarkGroup(b *testing.B) {
	one := func(ctx context.Context, tx *Tx, first int) error {
		for i := range group {
			if _, err := tx.Exec(ctx, upsert, 1, voter(first+i), 2); err != nil {
				return err
			}
		}
		return nil
	}
	for name, c := range map[string]struct {
		run       func(*DB) runner
		ends      bool // the context of the statements
		statement func(ctx context.Context, tx *Tx, first int) error
	}{
		"prepared":               {func(d *DB) runner { return d.file.writer }, false, one},
		"prepared,context ends":  {func(d *DB) runner { return d.file.writer }, true, one},
		"unprepared":             {func(d *DB) runner { return d.file.writer.conn }, false, one},
		"prepared,one statement": {func(d *DB) runner { return d.file.writer }, false, together()},
		"a single upsert":        {func(d *DB) runner { return d.file.writer }, false, single},
	} {
		b.Run(name, func(b *testing.B) {
			d := openVotes(b)
			ctx := context.Background()
			if c.ends {
				var cancel context.CancelFunc
				ctx, cancel = context.WithCancel(ctx)
				defer cancel()
			}
			n := 0
			b.ReportAllocs()
			defer reportCPU(b)()
			for b.Loop() {
				err := d.InTx(ctx, func(*Tx) error { return c.statement(ctx, &Tx{run: c.run(d)}, n*group) })
				if err != nil {
					b.Fatal(err)
				}
				n++
			}
		})
	}
}

func single(ctx context.Context, tx *Tx, first int) error {
	_, err := tx.Exec(ctx, upsert, 1, voter(first), 2)
	return err
}

func together() func(context.Context, *Tx, int) error {
	var rows []string
	for i := range group {
		rows = append(rows, fmt.Sprintf("($%d, $%d, $%d)", 3*i+1, 3*i+2, 3*i+3))
	}
	text := strings.Replace(upsert, "($1, $2, $3)", strings.Join(rows, ", "), 1)
	return func(ctx context.Context, tx *Tx, first int) error {
		var args []any
		for i := range group {
			args = append(args, 1, voter(first+i), 2)
		}
		_, err := tx.Exec(ctx, text, args...)
		return err
	}
}

func BenchmarkReadOneRow(b *testing.B) {
	d := openVotes(b)
	for name, run := range map[string]runner{"prepared": d.reader, "unprepared": d.pools[0]} {
		b.Run(name, func(b *testing.B) {
			var n int
			defer reportCPU(b)()
			for b.Loop() {
				if err := run.QueryRowContext(context.Background(), `SELECT count(*) FROM votes WHERE poll = $1 AND voter = $2`, 1, "x").Scan(&n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// reportCPU gives a number that a slow disk and a busy machine leave alone.
func reportCPU(b *testing.B) func() {
	used := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := used()
	return func() { b.ReportMetric(float64((used()-before).Microseconds())/float64(b.N), "cpu-µs/op") }
}

// voter repeats, so that most upserts meet a row.
func voter(i int) string { return fmt.Sprint("voter-", i%10_000) }

func openVotes(b *testing.B) *DB {
	d, err := Open(b.Context(), filepath.Join(b.TempDir(), "votes.db"), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { d.Close() })
	err = d.InTx(b.Context(), func(tx *Tx) error {
		_, err := tx.Exec(b.Context(), `CREATE TABLE votes (poll BIGINT, voter TEXT, choice BIGINT NOT NULL, PRIMARY KEY (poll, voter)) WITHOUT ROWID`)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return d
}

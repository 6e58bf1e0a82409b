package polls

import (
	"context"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/stats"
	"stoa/polls/internal/credential"
)

// BenchmarkCount counts groups of 32 votes, as 64 callers make them.
func BenchmarkCount(b *testing.B) {
	for name, c := range map[string]struct{ polls, voters int }{
		"one poll":             {polls: 1},
		"1000 polls":           {polls: 1000},
		"one poll, other mind": {polls: 1, voters: 16_000},
	} {
		b.Run(name, func(b *testing.B) {
			d, err := db.Open(b.Context(), filepath.Join(b.TempDir(), "votes.db"), db.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer d.Close()
			plantForBench(b, d, c.polls)
			box := newBallotBox(boxOptions{db: d, counted: func([]raised, bool) {}, stats: stats.NewRegistry()})
			keys, err := credential.NewKeyring("bench", credential.Missing(nil))
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			var voters []credential.Voter // who have voted
			count := func() {
				group := make([]*ballot, 32)
				for i := range group {
					group[i] = &ballot{poll: int64(1 + n%c.polls), choice: 1, at: time.Now(), done: make(chan verdict, 1)}
					if n < c.voters || c.voters == 0 {
						voters = append(voters, keys.AnonymousVoter(keys.Mint(time.Now())))
						group[i].voter = voters[n]
					} else {
						group[i].voter, group[i].choice = voters[n%c.voters], 1+n/c.voters%2
					}
					n++
				}
				box.count(context.Background(), group)
				if v := <-group[0].done; v.err != nil {
					b.Fatal(v.err)
				}
			}
			for n < c.voters {
				count()
			}
			before, used := n, cpu(b)
			for b.Loop() {
				count()
			}
			b.ReportMetric(float64((cpu(b)-used).Nanoseconds())/1e3/float64(n-before), "cpu-µs/vote")
		})
	}
}

func plantForBench(b *testing.B, d *db.DB, polls int) {
	if err := d.Migrate(b.Context(), Room, Migrations()); err != nil {
		b.Fatal(err)
	}
	err := d.InTx(b.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec(b.Context(), `INSERT INTO users (id, username, username_key, email, email_key, password, name, location, website,
			about, social_username, operator, confirmed, suspended, created_at)
			VALUES (1, 'ann', 'ann', 'ann@polls.example', 'ann@polls.example', '', 'Ann', '', '', '', '', FALSE, TRUE, FALSE, 0)`); err != nil {
			return err
		}
		_, err := tx.Exec(b.Context(), fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
			second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type,
			medium_width, medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url,
			second_context_url, created_at, ready_at, deleted_at)
			SELECT i, 1, 1, 1, 'Tabs or spaces?', 'Tabs', 'Spaces', FALSE, 0, 0, 0, 0, 0, i, '', '', 'picture', 'image/jpeg',
			480, 360, 1280, 960, '', '', '', '', 0, 0, 0 FROM n`, polls))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

// cpu is what this process has used, a number that a slow disk leaves alone.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

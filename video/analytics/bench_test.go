package analytics

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
)

func benchEngines(b *testing.B, fn func(*testing.B, *stand)) {
	for name, where := range map[string]func(testing.TB) string{"sqlite": dbtest.SQLite, "postgres": dbtest.Postgres} {
		b.Run(name, func(b *testing.B) {
			d := dbtest.Open(b, where(b))
			if err := d.Migrate(b.Context(), Room, Migrations()); err != nil {
				b.Fatal(err)
			}
			fn(b, newStand(b, d))
		})
	}
}

// BenchmarkIngest writes groups of 128 batches of four events, as players in the
// middle of a film send them.
func BenchmarkIngest(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *stand) {
		const batches, events = 128, 4
		at, n := noon, 0
		for b.Loop() {
			at = at.Add(5 * time.Second)
			var all []received
			for i := range batches {
				p := &told{media: "vi1", pid: fmt.Sprint(i), sid: fmt.Sprint(i), address: "10.0.0.1", agent: chrome}
				for j := range events {
					p.events = append(p.events, toldEvent{at.Add(time.Duration(j) * time.Second), timeUpdate, float64(n + j), false})
				}
				all = append(all, received{p.body(p.events, at.Add(4*time.Second)), p.address, p.agent, at.Add(4 * time.Second)})
			}
			s.write(all...)
			n += 5
		}
		b.ReportMetric(float64(b.N*batches*events)/b.Elapsed().Seconds(), "events/s")
	})
}

// BenchmarkQuestion asks about 300,000 playbacks of 30 days.
func BenchmarkQuestion(b *testing.B) {
	benchEngines(b, func(b *testing.B, s *stand) {
		plantMany(b, s, 300_000)
		for _, path := range []string{
			"metrics/play/count", "metrics/watch-time/average", "buckets/play/country", "buckets/play-rate/media-id",
			"timeseries/play", "metrics/view/count?unique=true", "metrics/ccv/peak", "buckets/play/browser?filterBy[mediaId]=vi77",
		} {
			for _, days := range []int{1, 30} {
				b.Run(fmt.Sprintf("%s of %d days", path, days), func(b *testing.B) {
					sign := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
					from := noon.AddDate(0, 0, -days).Format("2006-01-02T15:04:05Z")
					for b.Loop() {
						if status, answer := s.get("/data/" + path + sign + "from=" + from); status != 200 {
							b.Fatal(answer)
						}
					}
				})
			}
		}
	})
}

// plantMany writes playbacks of 200 medias, some far more popular than others.
func plantMany(b *testing.B, s *stand, n int) {
	s.recorder.media = func(_ context.Context, ids []string) (map[string]Media, error) {
		all := map[string]Media{}
		for _, id := range ids {
			all[id] = Media{Project: "one"}
		}
		return all, nil
	}
	r := rand.New(rand.NewPCG(1, 2))
	popular := rand.NewZipf(r, 1.3, 4, 199)
	agents, key := []string{chrome, iphone, linux}, make([]byte, 32)
	for done := 0; done < n; {
		var group []*entry
		for range 4096 {
			at := noon.Add(-time.Duration(float64(maxBack) * (1 - float64(done)/float64(n+4096))))
			batch := batch{media: fmt.Sprintf("vi%d", popular.Uint64()), playback: fmt.Sprint(done), session: fmt.Sprint(done), referrer: fmt.Sprintf("https://%d.example/", r.IntN(20))}
			batch.events = []event{{emitted: 1000, kind: loaded}, {emitted: 2000, kind: play}, {emitted: 30_000, kind: timeUpdate, position: 28_000}}
			place(batch.events, 30_000, at)
			group = append(group, s.newEntry(batch, key, at, netip.AddrFrom4([4]byte{byte(r.IntN(256)), 1, byte(r.IntN(256)), byte(r.IntN(256))}), agents[r.IntN(3)]))
			done++
		}
		if err := s.recorder.write(b.Context(), group); err != nil {
			b.Fatal(err)
		}
	}
	if s.db.Postgres() { // as its own maintenance would
		if err := s.db.InTx(b.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(b.Context(), "ANALYZE")
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
}

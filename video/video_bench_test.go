package video_test

import (
	"fmt"
	"testing"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/video"
)

// plantVideos stores n videos in a hurry.
func plantVideos(b *testing.B, d *db.DB, n int) {
	b.Helper()
	exec(b, d, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < `+fmt.Sprint(n)+`)
		INSERT INTO videos (id, project, state, version, title, title_key, title_order, description, description_key, public, panoramic, mp4_support,
			player_id, language, live_stream_id, clip, watermark, thumbnail, thumbnail_at, source_type, source_from, ingest, upload_form, upload_total,
			upload_token, upload_name, source_size, created_at, published_at, updated_at, discarded_at, deletes_at)
		SELECT 'viabc' || CAST(1000000000000000000 + i AS TEXT), 'default', 0, 1, 'Video ' || i, 'video ' || i,
			CAST('video ' || (i * 7919 % `+fmt.Sprint(n)+`) AS `+bytesOf(d)+`), '', '', TRUE, FALSE, TRUE,
			'', '', '', '', '', '', '', '', '', 0, '', 0, '', '', 0, i, i, i, 0, 0 FROM n`)
	exec(b, d, `INSERT INTO video_tags (video_id, tag, tag_key, position) SELECT id, 'tag', 'tag', 0 FROM videos`)
	exec(b, d, `INSERT INTO video_counts (project, state, videos) SELECT 'default', 0, count(*) FROM videos`)
	exec(b, d, `ANALYZE`)
}

func bytesOf(d *db.DB) string {
	if d.Postgres() {
		return "BYTEA"
	}
	return "BLOB"
}

// BenchmarkReading is pages and single videos, of few videos and of many: it must not
// matter how many there are.
func BenchmarkReading(b *testing.B) {
	for _, engine := range []struct {
		name string
		open func(testing.TB) string
	}{{"sqlite", dbtest.SQLite}, {"postgres", dbtest.Postgres}} {
		for _, n := range []int{100, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", engine.name, n), func(b *testing.B) {
				d := dbtest.Open(b, engine.open(b))
				if err := d.Migrate(b.Context(), video.Room, video.Migrations()); err != nil {
					b.Fatal(err)
				}
				s := newSite(b, d)
				plantVideos(b, d, n)
				for _, list := range [][2]string{
					{"newest", "/videos"}, {"title", "/videos?sortBy=title"}, {"updated", "/videos?sortBy=updatedAt&sortOrder=desc"},
					{"one", fmt.Sprintf("/videos/viabc%d", 1000000000000000000+n/2)},
				} {
					b.Run(list[0], func(b *testing.B) {
						for b.Loop() {
							s.call("GET", list[1], nil).want(200)
						}
					})
				}
			})
		}
	}
}

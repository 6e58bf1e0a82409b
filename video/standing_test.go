package video_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

func TestStandingsTellHowFarVideosAre(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		uploading := func(form string, total int64) string {
			id := s.newVideo("x")
			exec(t, d, `UPDATE videos SET source_type = 'upload', upload_form = $2, upload_total = $3 WHERE id = $1`, id, form, total)
			exec(t, d, `INSERT INTO video_parts (video_id, number, size, blob) VALUES ($1, 1, 10, ''), ($1, 2, 20, '')`, id)
			return id
		}
		with := func(column string, value any) string {
			id := s.newVideo("x")
			exec(t, d, `UPDATE videos SET `+column+` = $2 WHERE id = $1`, id, value)
			return id
		}
		half := s.plantVideo()
		half.chunk(0, half.size(0), true)
		half.state(encoding, true)
		whole := s.plantWhole()
		exec(t, d, `UPDATE videos SET thumbnail = 'still', watermark = '{"id":"watermark_1","top":"1px"}' WHERE id = $1`, whole.id)
		exec(t, d, `UPDATE video_encodings SET media = '{"Duration":1500000000}' WHERE video_id = $1`, whole.id)
		broken := s.plantVideo()
		exec(t, d, `UPDATE video_encodings SET state = 3, problem = 'there is no picture' WHERE video_id = $1`, broken.id)
		done := float64(half.size(0)) / float64(half.plan.Segments())

		for _, want := range []video.Standing{
			{VideoID: s.newVideo("x"), State: "empty"},
			{VideoID: uploading("bytes", 120), State: "uploading", Share: 0.25},
			{VideoID: uploading("part", 8), State: "uploading", Share: 0.25},
			{VideoID: uploading("part", 0), State: "uploading"},
			{VideoID: with("ingest", 2), State: "fetching"},
			{VideoID: with("ingest", 1), State: "waiting"},
			{VideoID: half.id, State: "encoding", Share: done, Playable: true},
			{VideoID: whole.id, State: "ready", Share: 1, Playable: true, Duration: 1500 * time.Millisecond, Poster: "still", Watermark: "watermark_1"},
			{VideoID: broken.id, State: "failed", Problem: "there is no picture"},
		} {
			got, err := s.Standings(t.Context(), video.DefaultProject, []string{want.VideoID, "viNone"})
			if err != nil || !reflect.DeepEqual(got, []video.Standing{want}) {
				t.Errorf("got %+v, %v; want %+v", got, err, want)
			}
		}
	})
}

func TestStandingsAreOfTheProjectAndOfWhatIsThere(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable)
		first, second, discarded := s.newVideo("a"), s.newVideo("b"), s.newVideo("c")
		s.call("DELETE", "/videos/"+discarded, nil).want(204)
		ids := []string{first, second, discarded, "vi' OR 1=1"}
		for project, want := range map[string]int{video.DefaultProject: 3, "other": 0, "": 0} {
			got, err := s.Standings(t.Context(), project, ids)
			if err != nil || len(got) != want {
				t.Errorf("project %q: got %+v, %v; want %d", project, got, err, want)
			}
		}
		for _, ids := range [][]string{nil, strings.Fields(strings.Repeat(first+" ", video.MaxStandings+1))} {
			if got, err := s.Standings(t.Context(), video.DefaultProject, ids); err != nil || len(got) != 0 {
				t.Errorf("%d ids: got %+v, %v; want none", len(ids), got, err)
			}
		}
	})
}

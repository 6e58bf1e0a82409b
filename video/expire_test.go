package video_test

import (
	"slices"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

func TestVideosWhoseTimeHasCome(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, func(o *video.Options) { o.Restore = true })
		ago := func(d time.Duration) int64 { return db.Micros(time.Now().Add(-d)) }
		const week = 7 * 24 * time.Hour
		age := func(id string, d time.Duration) string {
			s.exec(`UPDATE videos SET created_at = $2 WHERE id = $1`, id, ago(d))
			return id
		}
		empty, young := age(s.newVideo(), week+time.Minute), age(s.newVideo(), week-time.Hour)
		unfinished := s.newVideo()
		s.postFile("/videos/"+unfinished+"/source", "part 2/2", film(10)).want(201)
		age(unfinished, week+time.Minute)
		whole := s.newVideo()
		s.postFile("/videos/"+whole+"/source", "", film(10)).want(201)
		age(whole, 10*week)
		kept, gone := s.newVideo(), s.newVideo()
		for _, id := range []string{kept, gone} {
			s.call("DELETE", "/videos/"+id, nil).want(204)
		}
		age(kept, 10*week)
		s.exec(`UPDATE videos SET deletes_at = $2 WHERE id = $1`, gone, ago(time.Second))

		if err := s.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := s.ids("/videos"), sorted(young, whole); !slices.Equal(got, want) {
			t.Errorf("got videos %v want %v (without %s, %s)", got, want, empty, unfinished)
		}
		if got, want := s.ids("/discarded/videos"), sorted(kept); !slices.Equal(got, want) {
			t.Errorf("got discarded %v want %v", got, want)
		}
	})
}

func TestVideosOfTheSandboxLastADay(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d, func(o *video.Options) { o.Environment = "staging" })
		old, young := s.newVideo(), s.newVideo()
		s.exec(`UPDATE videos SET deletes_at = $2 WHERE id = $1`, old, db.Micros(time.Now()))
		if err := s.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := s.ids("/videos"), sorted(young); !slices.Equal(got, want) {
			t.Errorf("got %v want %v", got, want)
		}
	})
}

func sorted(ids ...string) []string { slices.Sort(ids); return ids }

// ids is those of a list, with the number that it tells.
func (s *studio) ids(path string) []string {
	s.t.Helper()
	list := s.call("GET", path, nil).want(200)
	var ids []string
	for _, v := range list["data"].([]any) {
		ids = append(ids, v.(object)["videoId"].(string))
	}
	if total := list["pagination"].(object)["itemsTotal"]; total != float64(len(ids)) {
		s.t.Errorf("got a total of %v with %d videos", total, len(ids))
	}
	return sorted(ids...)
}

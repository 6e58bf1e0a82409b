package video_test

import (
	"net/http/httptest"
	"testing"

	"stoa/internal/db/dbtest"
	"stoa/video"
)

// BenchmarkSegment is a segment that is watched by many, without the network.
func BenchmarkSegment(b *testing.B) {
	d := dbtest.Open(b, dbtest.SQLite(b))
	if err := d.Migrate(b.Context(), video.Room, video.Migrations()); err != nil {
		b.Fatal(err)
	}
	s := newSite(b, d)
	p := s.plantVideo()
	p.chunk(0, 1, false)
	p.state(encoding, true)
	path := "/vod/" + p.id + "/hls/" + p.plan.Renditions[0].Name + "/0.m4s"
	handler := s.Handler()
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 200 {
			b.Fatalf("got %d, want 200", w.Code)
		}
	}
}

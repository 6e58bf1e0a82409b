package video_test

import (
	"bytes"
	"fmt"
	"image/png"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"stoa/internal/db"
)

func (s *site) newWatermark() string {
	s.t.Helper()
	return s.sendFile("/watermarks", "mark.png", pngFile(s.t, 30, 20)).want(200)["watermarkId"].(string)
}

func TestAWatermarkIsKeptAsAPNG(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		got := s.sendFile("/watermarks", "mark.jpg", jpegFile(t, 30, 20)).want(200)
		id := got["watermarkId"].(string)
		if !regexp.MustCompile(`^watermark_[0-9A-Za-z]{22}$`).MatchString(id) || len(got) != 2 || got["createdAt"] == nil {
			t.Errorf("got %v want an id and a time", got)
		}
		key, kept := s.oneFile("watermark/")
		config, err := png.DecodeConfig(bytes.NewReader(kept))
		if err != nil || config.Width != 30 || config.Height != 20 || key != "watermark/"+id {
			t.Errorf("got %s of %d x %d (%v), want a PNG of 30 x 20", key, config.Width, config.Height, err)
		}
		var width, height int
		err = d.QueryRow(t.Context(), `SELECT width, height FROM video_watermarks WHERE id = $1`, id).Scan(&width, &height)
		if err != nil || width != 30 || height != 20 {
			t.Errorf("got %d x %d (%v) want 30 x 20", width, height, err)
		}
	})
}

func TestWatermarksAreListedNewestFirst(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var ids []any
		for range 3 {
			ids = append(ids, s.newWatermark())
		}
		ascending := column(s.call("GET", "/watermarks?sortBy=createdAt&sortOrder=asc", nil).items(), "watermarkId")
		if !reflect.DeepEqual(ascending, ids) {
			t.Errorf("got %v want %v", ascending, ids)
		}
		slices.Reverse(ids)
		if got := column(s.call("GET", "/watermarks", nil).items(), "watermarkId"); !reflect.DeepEqual(got, ids) {
			t.Errorf("got %v want %v", got, ids)
		}
		if got := column(s.call("GET", "/watermarks?pageSize=1&currentPage=3", nil).items(), "watermarkId"); !reflect.DeepEqual(got, ids[2:]) {
			t.Errorf("got %v want %v", got, ids[2:])
		}
		s.call("GET", "/watermarks?sortBy=title", nil).refused(400, "request-invalid-query-parameter", "sortBy")
		s.call("GET", "/watermarks?sortOrder=up", nil).refused(400, "request-invalid-query-parameter", "sortOrder")
	})
}

// A video that was made with a watermark gets it, however late it is encoded.
func TestADeletedWatermarkIsKeptForItsVideos(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		used, unused := s.newWatermark(), s.newWatermark()
		id := s.newVideo("x", object{"watermark": object{"id": used, "top": "1px"}})
		for _, mark := range []string{used, unused} {
			s.call("DELETE", "/watermarks/"+mark, nil).want(204)
			s.call("DELETE", "/watermarks/"+mark, nil).refused(404, "resource-not-found", "watermarkId")
			s.call("POST", "/videos", object{"title": "y", "watermark": object{"id": mark}}).refused(400, "invalid-attribute", "watermark[id]")
		}
		if got := s.call("GET", "/watermarks", nil).items(); len(got) > 0 {
			t.Errorf("got %v listed want none", got)
		}
		s.sweep()
		if key, _ := s.oneFile("watermark/"); key != "watermark/"+used {
			t.Errorf("got %s kept want %s", key, used)
		}
		exec(t, d, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
			VALUES ($1, 2, TRUE, '', '', '', '', 0, 0)`, id)
		s.sweep()
		if left := s.files("watermark/"); len(left) > 0 {
			t.Errorf("got %d files want none when the video is encoded", len(left))
		}
		var rows int
		if err := d.QueryRow(t.Context(), `SELECT count(*) FROM video_watermarks`).Scan(&rows); err != nil || rows > 0 {
			t.Errorf("got %d rows (%v) want none", rows, err)
		}
	})
}

func (s *site) sweep() {
	s.t.Helper()
	if err := s.Sweep(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

func TestWatermarksThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.sendFile("/watermarks", "a.gif", []byte("GIF89a")).refused(400, "uploaded-file-extension-invalid", "file")
		s.sendFile("/watermarks", "a.webp", []byte("RIFF\x00\x00\x00\x00WEBPVP8 ")).refused(400, "uploaded-file-extension-invalid", "file")
		s.call("POST", "/watermarks", object{}).refused(400, "uploaded-file-no-file", "file")
		id, other := s.newWatermark(), s.newKey("other", "other")
		s.callAs(other, "DELETE", "/watermarks/"+id, nil).refused(404, "resource-not-found", "watermarkId")
		s.call("DELETE", "/watermarks/x", nil).refused(404, "resource-not-found", "watermarkId")
		s.call("GET", "/watermarks/"+id, nil).refused(405, "method-not-allowed", "")
		if got := s.callAs(other, "GET", "/watermarks", nil).items(); len(got) > 0 {
			t.Errorf("got %v want nothing of another project", got)
		}
		if got := fmt.Sprint(column(s.call("GET", "/watermarks", nil).items(), "watermarkId")); got != "["+id+"]" {
			t.Errorf("got %s want %s", got, id)
		}
	})
}

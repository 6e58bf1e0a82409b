package video_test

import (
	"bytes"
	"image/jpeg"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestAnUploadedThumbnailBecomesAJPEG(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		for _, file := range [][]byte{pngFile(t, 1600, 40), jpegFile(t, 1600, 40)} {
			got := s.sendFile("/videos/"+id+"/thumbnail", "poster", file).want(200)
			wantField(t, got, "videoId", id)
			key, kept := s.oneFile("video/" + id + "/thumbnail/")
			config, err := jpeg.DecodeConfig(bytes.NewReader(kept))
			if err != nil || config.Width != 1280 || config.Height != 32 {
				t.Errorf("got %d x %d (%v), want a JPEG of 1280 x 32", config.Width, config.Height, err)
			}
			name, at := thumbnailOf(t, d, id)
			if want := "video/" + id + "/thumbnail/" + name + ".jpg"; key != want || at != "" {
				t.Errorf("got %s at %q, want the row to name %s", name, at, key)
			}
		}
	})
}

func thumbnailOf(t testing.TB, d *db.DB, id string) (name, at string) {
	t.Helper()
	if err := d.QueryRow(t.Context(), `SELECT thumbnail, thumbnail_at FROM videos WHERE id = $1`, id).Scan(&name, &at); err != nil {
		t.Fatal(err)
	}
	return name, at
}

func TestAPickedThumbnailIsRememberedUntilThereIsASource(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		for _, timecode := range []string{"00:01:30", "00:01:30.250", "00:01:30:12", "90"} {
			wantField(t, s.call("PATCH", "/videos/"+id+"/thumbnail", object{"timecode": timecode}).want(200), "videoId", id)
			if _, at := thumbnailOf(t, d, id); at != timecode {
				t.Errorf("got %q want %q", at, timecode)
			}
		}
		s.sendFile("/videos/"+id+"/thumbnail", "a.png", pngFile(t, 8, 8)).want(200)
		if _, at := thumbnailOf(t, d, id); at != "" {
			t.Errorf("got %q, want an upload to take the place of what was picked", at)
		}
	})
}

func TestThumbnailsThatAreRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id, other := s.newVideo("x"), s.newKey("other", "other")
		path := "/videos/" + id + "/thumbnail"
		s.sendFile(path, "a.png", []byte("<svg/>")).refused(400, "uploaded-file-extension-invalid", "file")
		s.sendFile(path, "a.png", pngFile(t, 8, 8)[:40]).refused(400, "uploaded-file-invalid-file", "file")
		s.sendFile(path, "a.png", nil).refused(400, "uploaded-file-empty", "file")
		s.sendFileAs(other, path, "a.png", pngFile(t, 8, 8)).refused(404, "resource-not-found", "videoId")
		s.callAs(other, "PATCH", path, object{"timecode": "1"}).refused(404, "resource-not-found", "videoId")
		s.call("PATCH", path, object{}).refused(400, "attribute-required", "timecode")
		s.call("PATCH", path, object{"timecode": nil}).refused(400, "attribute-required", "timecode")
		s.call("PATCH", path, nil).refused(400, "invalid-payload", "")
		for _, timecode := range []any{1, "", "1:30", "00:99:00", "-1", strings.Repeat("9", 8), "00:00:00;drop"} {
			s.call("PATCH", path, object{"timecode": timecode}).refused(400, "invalid-attribute", "timecode")
		}
		if left := s.files("video/"); len(left) > 0 {
			t.Errorf("got %d files left behind, want none", len(left))
		}
	})
}

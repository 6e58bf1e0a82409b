package video_test

import (
	"bytes"
	"image/jpeg"
	"testing"

	"stoa/internal/db"
)

// liveVersion is what others see a change of a live stream by.
func liveVersion(t testing.TB, d *db.DB, l object) (version int64) {
	t.Helper()
	if err := d.QueryRow(t.Context(), `SELECT version FROM live_streams WHERE id = $1`, l["liveStreamId"]).Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

func TestTheThumbnailOfALiveStream(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		l := s.newLiveStream("x")
		path, folder, before := livePath(l), "live/"+l["liveStreamId"].(string)+"/thumbnail/", liveVersion(t, d, l)
		for _, file := range [][]byte{pngFile(t, 1600, 40), jpegFile(t, 1600, 40)} {
			got := s.sendFile(path+"/thumbnail", "poster", file).want(201)
			wantField(t, got, "liveStreamId", l["liveStreamId"])
			key, kept := s.oneFile(folder) // the one before is gone
			if config, err := jpeg.DecodeConfig(bytes.NewReader(kept)); err != nil || config.Width != 1280 || config.Height != 32 {
				t.Errorf("got %d x %d (%v), want a JPEG of 1280 x 32", config.Width, config.Height, err)
			}
			var name string
			if err := d.QueryRow(t.Context(), `SELECT thumbnail FROM live_streams`).Scan(&name); err != nil || key != folder+name+".jpg" {
				t.Errorf("got %s (%v), want the row to name %s", name, err, key)
			}
			if after := liveVersion(t, d, l); after <= before {
				t.Errorf("got version %d after %d, want another", after, before)
			} else {
				before = after
			}
		}
		s.sendFile(path+"/thumbnail", "a.png", []byte("<svg/>")).refused(400, "uploaded-file-extension-invalid", "file")
		s.sendFile(path+"/thumbnail", "a.png", pngFile(t, 8, 8)[:40]).refused(400, "uploaded-file-invalid-file", "file")
		s.sendFile(path+"/thumbnail", "a.png", nil).refused(400, "uploaded-file-empty", "file")
		s.call("POST", path+"/thumbnail", object{}).refused(400, "uploaded-file-no-file", "file")
		s.oneFile(folder)
		for range 2 { // the second finds none
			wantField(t, s.call("DELETE", path+"/thumbnail", nil).want(200), "liveStreamId", l["liveStreamId"])
		}
		s.sendFile(path+"/thumbnail", "a.png", pngFile(t, 8, 8)).want(201)
		s.call("DELETE", path, nil).want(204)
		if left := s.files(""); len(left) > 0 {
			t.Errorf("got %d files left behind, want none", len(left))
		}
		s.call("DELETE", path, nil).refused(404, "resource-not-found", "liveStreamId")
		s.call("GET", path, nil).refused(404, "resource-not-found", "liveStreamId")
	})
}

// The page of a live stream shows its theme.
func TestAThemeChangesItsLiveStreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		player := s.call("POST", "/players", object{}).want(201)["playerId"].(string)
		l := s.newLiveStream("x", object{"playerId": player})
		before := liveVersion(t, d, l)
		s.call("PATCH", "/players/"+player, object{"text": "#000000"}).want(200)
		changed := liveVersion(t, d, l)
		s.call("DELETE", "/players/"+player, nil).want(204)
		if after := liveVersion(t, d, l); changed <= before || after <= changed {
			t.Errorf("got versions %d, %d, %d want each above the last", before, changed, after)
		}
		if got, there := s.call("GET", livePath(l), nil).want(200)["playerId"]; there {
			t.Errorf("got the theme %v, want none when it is deleted", got)
		}
	})
}

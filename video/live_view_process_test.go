package video_test

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

// What one process takes in, viewers of another have as soon: by the same database and
// the same files. SQLite has one process, which serves what is in its memory.
func TestABroadcastIsWatchedInAnyProcess(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		studio := newSite(t, d)
		cinema := studio
		stream := studio.newLiveStream("Bread, live")
		id := stream["liveStreamId"].(string)
		if d.Postgres() {
			if err := studio.DeleteKey(t.Context(), "tests"); err != nil { // the other makes its own
				t.Fatal(err)
			}
			cinema = newSite(t, d, func(o *video.Options) { o.Blobs = studio.Blobs })
		}
		reel, feed := newReel(t, talk), studio.enter(stream["streamKey"].(string))
		reel.send(t, feed, 0, time.Second)
		cinema.eventually("/live/"+id+".m3u8", 200)
		var lists []string
		for _, list := range cinema.fetch("GET", "/live/"+id+".m3u8").listed() {
			lists = append(lists, "/live/"+list)
		}
		if len(lists) != 2 {
			t.Fatalf("got %v want a picture and sound", lists)
		}
		next, whole := make([]<-chan *answer, 2), make([]<-chan *answer, 2)
		for i, list := range lists {
			cinema.eventually(list+"?_HLS_msn=0&_HLS_part=0", 200)
			next[i], whole[i] = cinema.waited(list+"?_HLS_msn=0&_HLS_part=3"), cinema.waited(list+"?_HLS_msn=1")
		}
		reel.write(t, feed, 0, time.Second, 5*time.Second)
		for i, list := range lists {
			if got := string((<-next[i]).wantStatus(200).body); !strings.Contains(got, `URI="0.3.m4s"`) {
				t.Errorf("got %s want the part", got)
			}
			text := string((<-whole[i]).wantStatus(200).body)
			for _, want := range []string{"\n1.m4s\n", "EXT-X-PRELOAD-HINT", `URI="1.0.m4s"`} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: got %s want %s", list, text, want)
				}
			}
			var parts []byte
			folder := strings.TrimSuffix(list, "manifest.m3u8")
			for n := range strings.Count(text, `URI="1.`) - strings.Count(text, `PART,URI="1.`) {
				parts = append(parts, cinema.fetch("GET", fmt.Sprintf("%s1.%d.m4s", folder, n)).wantStatus(200).body...)
			}
			if got := cinema.fetch("GET", folder+"1.m4s").wantStatus(200).body; string(got) != string(parts) {
				t.Errorf("%s: got %d bytes want those of its parts, %d", folder, len(got), len(parts))
			}
		}
		cinema.eventuallyHas("/live/"+id+"/air", `"live"`)
		picture, err := jpeg.Decode(bytes.NewReader(cinema.fetch("GET", "/live/"+id+"/thumbnail.jpg").wantStatus(200).body))
		if err != nil || picture.Bounds().Empty() {
			t.Errorf("got %v want a picture of the broadcast", err)
		}
		feed.Close()
		cinema.eventuallyHas("/live/"+id+"/air", `"away"`)
		again := studio.enter(stream["streamKey"].(string))
		reel.send(t, again, 0, 3*time.Second)
		cinema.eventuallyHas("/live/"+id+"/air", `"live"`)
		cinema.eventuallyHas(lists[0], "#EXT-X-DISCONTINUITY\n")
		cinema.call("PUT", livePath(stream)+"/complete", nil).want(202)
		for _, list := range lists {
			cinema.eventuallyHas(list, "#EXT-X-ENDLIST")
		}
		cinema.eventuallyHas("/live/"+id+"/air", `"ended"`)
	})
}

package video_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// record broadcasts what somebody sends, and answers the recording.
func (w *workshop) record(send func(key string)) (id string) {
	w.t.Helper()
	stream, key := w.newStream()
	send(key)
	w.complete(stream)
	return w.recorded(stream, 1)[0]
}

// mp4 is the MP4 of a video, as a file.
func (w *workshop) mp4(id string) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), "whole.mp4")
	if err := os.WriteFile(path, w.read("video/"+id+"/mp4/source.mp4"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// numbers is from..to-1 of each pair.
func numbers(ranges ...int) (all []int) {
	for i := 0; i < len(ranges); i += 2 {
		for n := ranges[i]; n < ranges[i+1]; n++ {
			all = append(all, n)
		}
	}
	return all
}

// A recording gets all that an uploaded video has, and can be copied.
func TestRecordingIsAWholeVideo(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		id := w.record(func(key string) {
			feed := w.enter(key)
			newReel(t, talk).send(t, feed, 0, everything)
			feed.Close()
		})
		w.work()
		w.untilAll(id, "encoded")
		if got := ffmpegtest.FrameNumbers(t, w.mp4(id)); !slices.Equal(got, numbers(0, 70)) {
			t.Errorf("got frames %v in the MP4 want 0 to 69", got)
		}
		until(t, "the poster", func() bool { return w.call("GET", "/vod/"+id+"/thumbnail.jpg", nil).status == 200 })
		until(t, "the storyboard", func() bool { return w.call("GET", "/vod/"+id+"/storyboard.vtt", nil).status == 200 })
		if got := len(w.keys("video/" + id + "/storyboard/")); got != 1 {
			t.Errorf("got %d sheets want 1", got)
		}
		w.call("PATCH", "/videos/"+id+"/thumbnail", object{"timecode": "00:00:05"}).want(200)

		clip := w.call("POST", "/videos", object{"title": "Copy", "source": id,
			"clip": object{"startTimecode": "00:00:02", "endTimecode": "00:00:05"}}).want(202)["videoId"].(string)
		w.untilAll(clip, "encoded")
		w.wantWhole(clip, 20, 50)
		w.untilIdle()
		w.wantTidy(id)
	})
}

// A publisher who changes his picture changes what the recording shows from there on, in
// one rendition, and the MP4 is one film all the same.
func TestPictureChangesInABroadcast(t *testing.T) {
	for name, returns := range map[string]bool{"while he sends": false, "coming back": true} {
		t.Run(name, func(t *testing.T) {
			oneEngine(t, func(t *testing.T, d *db.DB) {
				w := newWorkshop(t, d)
				id := w.record(func(key string) {
					feed := w.enter(key)
					newReel(t, talk).send(t, feed, 0, 4*time.Second)
					if returns {
						feed.Close()
						feed = w.enter(key)
					}
					newReel(t, wide).send(t, feed, 0, everything)
					feed.Close()
				})
				w.wantChanged(id)
			})
		})
	}
}

func (w *workshop) wantChanged(id string) {
	if got := w.qualitiesOf(id); !slices.Equal(got, []string{"hls 240p encoded", "mp4 240p waiting"}) {
		w.t.Errorf("got %v want one picture", got)
	}
	list := string(w.call("GET", "/vod/"+id+"/hls/240p/manifest.m3u8", nil).body)
	if want := "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"head1.mp4\"\n"; strings.Count(list, want) != 1 || strings.Count(list, "DISCONTINUITY") != 1 {
		w.t.Errorf("got\n%swant %q in it once", list, want)
	}
	for _, file := range []string{"0.m4s", "init.mp4", "head1.mp4"} {
		w.call("GET", "/vod/"+id+"/hls/240p/"+file, nil).wantStatus(200)
	}
	for _, file := range []string{"head0.mp4", "head2.mp4", "head01.mp4", "head.mp4"} {
		w.call("GET", "/vod/"+id+"/hls/240p/"+file, nil).wantStatus(404)
	}
	w.work()
	w.untilAll(id, "encoded")
	if got := ffmpegtest.FrameNumbers(w.t, w.mp4(id)); !slices.Equal(got, numbers(0, 40, 0, 50)) {
		w.t.Errorf("got frames %v in the MP4 want 0 to 39 and 0 to 49", got)
	}
	until(w.t, "the storyboard", func() bool { return w.call("GET", "/vod/"+id+"/storyboard.vtt", nil).status == 200 })
	w.untilIdle()
}

// Where a track has no segment of a time, another picture stands in, and sound is missing.
func TestTracksStandInForEachOther(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		exec(t, d, `INSERT INTO live_broadcasts (id, live_stream_id, project, video_id, run, on_air, ended, recorded, version, title, public, player_id, started_at, seen_at, left_at, ended_at)
			VALUES ('b', 'liplanted', $1, 'viPlantedPlantedPlanted1', 1, FALSE, FALSE, FALSE, 1, 'Show', TRUE, 'gone', 1, 1, 1, 0)`, video.DefaultProject)
		for track, have := range map[string][]int{"720p": {0, 1, 2}, "480p": {0, 1, 2, 3, 4}, "360p": {3}, "audio": {0, 1, 3, 4}} {
			exec(t, d, `INSERT INTO live_heads (broadcast_id, track, number, codec, clock, width, height) VALUES ('b', $1, 0, 'avc1.64001f', 1000, 320, 180)`, track)
			for _, n := range have {
				exec(t, d, `INSERT INTO live_segments (broadcast_id, track, number, head, broken, start, duration, at, parts, frames, size, first_frame)
					VALUES ('b', $1, $2, 0, FALSE, $3, 2000, 0, 5, 50, 100, 10)`, track, n, 2000*n)
			}
		}
		id := w.recorded("liplanted", 1)[0]
		if got := w.qualitiesOf(id); !slices.Equal(got, []string{"hls 360p encoded", "hls 480p encoded", "hls 720p encoded", "mp4 720p waiting"}) {
			t.Errorf("got %v want three pictures", got)
		}
		for track, want := range map[string][]string{
			"720p":  {"0.m4s", "1.m4s", "2.m4s", "../480p/3.m4s", "../480p/4.m4s"},
			"480p":  {"0.m4s", "1.m4s", "2.m4s", "3.m4s", "4.m4s"},
			"360p":  {"../480p/0.m4s", "../480p/1.m4s", "../480p/2.m4s", "3.m4s", "../480p/4.m4s"},
			"audio": {"0.m4s", "1.m4s", "gap", "3.m4s", "4.m4s"},
		} {
			list := string(w.call("GET", "/vod/"+id+"/hls/"+track+"/manifest.m3u8", nil).body)
			if got := strings.Count(list, "#EXT-X-DISCONTINUITY"); got != 2 {
				t.Errorf("%s: got %d discontinuities want 2, at 3 and 4, as everywhere", track, got)
			}
			list = strings.ReplaceAll(list, "#EXT-X-GAP\n#EXTINF:2.000000,\n2.m4s", "gap")
			var got []string
			for line := range strings.Lines(list) {
				if !strings.HasPrefix(line, "#") {
					got = append(got, strings.TrimSpace(line))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v want %v", track, got, want)
			}
		}
	})
}

func TestSoundAloneIsRecorded(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		id := w.record(func(key string) {
			feed := w.enter(key)
			newReel(t, talk).sound().send(t, feed, 0, everything)
			feed.Close()
		})
		master := string(w.call("GET", "/vod/"+id+"/hls/manifest.m3u8", nil).body)
		if !strings.Contains(master, "audio/manifest.m3u8") || strings.Contains(master, "RESOLUTION") || strings.Contains(master, "TYPE=AUDIO") {
			t.Errorf("got\n%swant the sound, and no picture", master)
		}
		w.work()
		w.untilAll(id, "encoded")
		for _, path := range []string{w.mp4(id), w.downloaded("/vod/" + id + "/hls/manifest.m3u8")} {
			if got := w.lengthOf(path); got < 6500*time.Millisecond || got > 7500*time.Millisecond {
				t.Errorf("got %v want about 7 s", got)
			}
		}
		w.untilIdle()
	})
}

package video_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/video"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestUploadedVideoIsEncoded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.call("POST", "/webhooks", object{"url": "http://192.0.2.1/", "events": []string{"video.encoding.quality.completed"}}).want(201)
		w.store.before = func(_ context.Context, key string) error {
			if !strings.HasSuffix(key, "/hls/audio/0.m4s") {
				return nil
			}
			id := strings.Split(key, "/")[1]
			until(t, "some picture", func() bool { return len(w.listed(id)["240p"]) > 0 })
			if _, playable := w.qualities(id); playable {
				t.Error("got a playable video want it to wait for its sound")
			}
			return nil
		}
		w.work()
		id := w.upload(ffmpegtest.Source(t, small))
		until(t, "the video to play", func() bool { _, playable := w.qualities(id); return playable })
		for _, track := range []string{"240p", "360p", encode.AudioTrack} {
			if got := len(w.listed(id)[track]); got == 0 {
				t.Errorf("%s: got no segments of a playable video", track)
			}
		}

		w.untilAll(id, "encoded")
		qualities, _ := w.qualities(id)
		for _, name := range []string{"hls 240p", "hls 360p", "mp4 360p"} {
			if qualities[name] != "encoded" || len(qualities) != 3 {
				t.Errorf("got %v want %s encoded", qualities, name)
			}
		}
		w.wantWhole(id, 0, 160)
		mp4 := w.read("video/" + id + "/mp4/source.mp4")
		if moov, mdat := bytes.Index(mp4, []byte("moov")), bytes.Index(mp4, []byte("mdat")); moov < 0 || moov > mdat {
			t.Errorf("got moov at %d and mdat at %d want moov first", moov, mdat)
		}
		var size, events int
		w.row(`SELECT mp4_size FROM video_encodings WHERE video_id = $1`, &size, id)
		if size != len(mp4) {
			t.Errorf("got %d bytes of MP4 in the row want %d", size, len(mp4))
		}
		w.row(`SELECT COUNT(*) FROM video_deliveries`, &events)
		if events != 3 {
			t.Errorf("got %d events want one for each quality", events)
		}

		until(t, "the storyboard", func() bool { return len(w.keys("video/"+id+"/storyboard/")) == 1 })
		until(t, "the pictures removed", func() bool { return len(w.keys("video/"+id+"/picture/")) == 0 })
		until(t, "the poster", func() bool { return len(w.keys("video/"+id+"/thumbnail/")) == 1 })
		w.wantTidy(id)

		// As when the job was interrupted while it removed the pictures.
		sheet := w.read("video/" + id + "/storyboard/0.jpg")
		left := bytes.NewReader(w.read(w.keys("video/" + id + "/thumbnail/")[0]))
		if _, err := w.store.Put(t.Context(), "video/"+id+"/picture/1.jpg", left, ""); err != nil {
			t.Fatal(err)
		}
		if err := w.MakeStoryboard(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(w.read("video/"+id+"/storyboard/0.jpg"), sheet) {
			t.Error("got another sheet of the pictures that were left, want that of all")
		}
		w.wantTidy(id)
	})
}

func TestSourcesThatAreNotFilesAreCopied(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d, func(o *video.Options) { o.Blobs = &remote{memory.New()} })
		w.work()
		id := w.upload(ffmpegtest.Source(t, ffmpegtest.Spec{}))
		w.untilAll(id, "encoded")
		if qualities, playable := w.qualities(id); !playable || len(qualities) != 2 {
			t.Errorf("got %v, playable %v want two qualities that play", qualities, playable)
		}
	})
}

func TestSourcesThatCannotBeEncoded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		film := ffmpegtest.Source(t, ffmpegtest.Spec{})
		for _, c := range []struct {
			name   string
			source string
			more   object
			want   string
		}{
			{"text", "not a video", nil, "no video"},
			{"playlist", "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n", nil, "no video"},
			{"cut off", readFile(t, film)[:2000], nil, "no video"},
			{"clip behind the end", readFile(t, film), object{"clip": object{"startTimecode": "100"}}, "begins after its own end"},
		} {
			id := w.newVideo(c.name, c.more)
			if err := w.PlantSource(t.Context(), id, c.source); err != nil {
				t.Fatal(err)
			}
			w.untilAll(id, "failed")
			status := w.call("GET", "/videos/"+id+"/status", nil).want(200)
			problem, _ := status["encoding"].(object)["problem"].(string)
			if !contains(problem, c.want) {
				t.Errorf("%s: got %q want a sentence with %q", c.name, problem, c.want)
			}
			if _, playable := w.qualities(id); playable {
				t.Errorf("%s: got a playable video", c.name)
			}
		}
	})
}

func TestClipIsCutOutOfTheSource(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		id := w.upload(ffmpegtest.Source(t, small), object{"clip": object{"startTimecode": "00:00:03", "endTimecode": "00:00:08:05"}, "mp4Support": false})
		w.untilAll(id, "encoded")
		w.wantWhole(id, 30, 85)
		status := w.call("GET", "/videos/"+id+"/status", nil).want(200)
		if got := status["encoding"].(object)["metadata"].(object)["duration"]; got != 6.0 && got != 5.0 {
			t.Errorf("got a duration of %v want that of the clip", got)
		}
		if got := len(status["encoding"].(object)["qualities"].([]any)); got != 2 {
			t.Errorf("got %d qualities want no MP4", got)
		}
	})
}

func TestVideosOfTheSandboxAreShortAndMarked(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d, func(o *video.Options) { o.Environment = "staging" })
		w.work()
		id := w.upload(ffmpegtest.Make(t, "black.mp4", "-f", "lavfi", "-i", "color=black:size=320x180:rate=2:duration=40", "-pix_fmt", "yuv420p"))
		w.untilAll(id, "encoded")
		if got := w.plan(id).Duration(); got != 30*time.Second {
			t.Errorf("got %v want 30 s", got)
		}
		if light := brightest(w.frame(id)); light < 100 {
			t.Errorf("got a picture no brighter than %d want a mark on it", light)
		}
	})
}

func TestWatermarkIsInThePicture(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		mark := w.newWatermark(40, 20)
		film := ffmpegtest.Make(t, "black.mp4", "-f", "lavfi", "-i", "color=black:size=640x360:rate=10:duration=2", "-pix_fmt", "yuv420p")
		id := w.newVideo("marked", object{"watermark": object{"id": mark, "right": "0px", "bottom": "0px", "width": "50%", "height": "50%"}})
		w.call("DELETE", "/watermarks/"+mark, nil).want(204) // it was asked for before that
		w.plant(id, film)
		w.untilAll(id, "encoded")
		picture := w.frame(id)
		b := picture.Bounds()
		if !isRed(picture.At(b.Dx()*3/4, b.Dy()*3/4)) || isRed(picture.At(b.Dx()/4, b.Dy()*3/4)) || isRed(picture.At(b.Dx()*3/4, b.Dy()/4)) {
			t.Error("got no watermark in the lower right quarter alone")
		}
		until(t, "the copy of the image removed", func() bool { return len(w.keys("video/"+id+"/overlay/")) == 0 })
	})
}

func TestSilentAndBlindSources(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		sound := w.upload(ffmpegtest.Make(t, "tone.mp3", "-f", "lavfi", "-i", "sine=duration=3"))
		silent := w.upload(ffmpegtest.Source(t, ffmpegtest.Spec{}))
		w.untilAll(sound, "encoded")
		w.untilAll(silent, "encoded")
		if got := slices.Sorted(keysOf(w.listed(sound))); !slices.Equal(got, []string{"240p", "audio"}) {
			t.Errorf("sound alone: got tracks %v want a picture too", got)
		}
		if got := slices.Sorted(keysOf(w.listed(silent))); !slices.Equal(got, []string{"240p"}) {
			t.Errorf("no sound: got tracks %v want the picture", got)
		}
	})
}

func TestSoundThatCannotBeDecodedIsLeftOut(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		good := ffmpegtest.Make(t, "good.mkv", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10:duration=2", "-f", "lavfi", "-i", "sine=duration=2",
			"-map", "0", "-map", "1", "-c:a", "flac", "-pix_fmt", "yuv420p")
		id := w.upload(ffmpegtest.Make(t, "noise.mkv", "-i", good, "-map", "0", "-c", "copy", "-bsf:a", "noise=amount=1"))
		w.untilAll(id, "encoded")
		if _, playable := w.qualities(id); !playable || w.plan(id).Audio >= 0 {
			t.Errorf("got playable %v with the sound %d want a silent video that plays", playable, w.plan(id).Audio)
		}
	})
}

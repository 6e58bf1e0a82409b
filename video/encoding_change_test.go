package video_test

import (
	"testing"

	"stoa/internal/db"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestMP4ComesAndGoes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		id := w.upload(ffmpegtest.Source(t, ffmpegtest.Spec{}), object{"mp4Support": false})
		w.untilAll(id, "encoded")
		w.untilIdle()
		file := "video/" + id + "/mp4/"
		if got := w.keys(file); len(got) > 0 {
			t.Errorf("got %v want no MP4", got)
		}
		for range 2 {
			w.call("PATCH", "/videos/"+id, object{"mp4Support": true}).want(200)
			if qualities, _ := w.qualities(id); qualities["mp4 240p"] == "" {
				t.Errorf("got %v want an MP4 to come", qualities)
			}
			w.untilAll(id, "encoded")
			if got := w.keys(file); len(got) != 1 {
				t.Errorf("got %v want an MP4", got)
			}
			w.call("PATCH", "/videos/"+id, object{"mp4Support": false}).want(200)
			if qualities, _ := w.qualities(id); len(qualities) != 1 {
				t.Errorf("got %v want no MP4", qualities)
			}
			w.untilIdle()
			if got := w.keys(file); len(got) > 0 {
				t.Errorf("got %v want no MP4", got)
			}
		}
	})
}

func TestMP4ThatIsNotWantedAnyMoreWhenItIsMade(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		reached, changed := w.store.hold("/mp4/source.mp4")
		w.work()
		id := w.upload(ffmpegtest.Source(t, ffmpegtest.Spec{}))
		<-reached
		w.call("PATCH", "/videos/"+id, object{"mp4Support": false}).want(200)
		close(changed)
		w.untilIdle()
		if got := w.keys("video/" + id + "/mp4/"); len(got) > 0 {
			t.Errorf("got %v want no MP4", got)
		}
		if qualities, _ := w.qualities(id); len(qualities) != 1 {
			t.Errorf("got %v want no MP4", qualities)
		}
	})
}

func TestPosterIsThePickedPicture(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		id := w.newVideo("film", object{"clip": object{"startTimecode": "1"}, "mp4Support": false})
		w.pick(id, "2") // there is no source yet
		w.plant(id, ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 6}))
		for _, c := range []struct {
			pick string
			want int
		}{{"", 75}, {"00:00:03:05", 105}, {"00:00:01.480", 62}, {"100", 25}} {
			if c.pick != "" {
				w.pick(id, c.pick)
			}
			w.untilIdle()
			posters := w.keys("video/" + id + "/thumbnail/")
			if len(posters) != 1 {
				t.Fatalf("got %v want one poster", posters)
			}
			got, err := ffmpegtest.FrameNumber(decodeJPEG(t, w.read(posters[0])))
			if err != nil || got != c.want {
				t.Errorf("%q: got frame %d, %v want %d", c.pick, got, err, c.want)
			}
		}
	})
}

// The pictures of this source begin a quarter of a frame after its sound: those of the
// video are moved to where they are due, and the poster is one of them.
func TestPosterOfPicturesBetweenTheirPlaces(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		film := ffmpegtest.Source(t, ffmpegtest.Spec{Seconds: 3, Audio: true})
		id := w.upload(ffmpegtest.Make(t, "late.mkv", "-i", film, "-itsoffset", "0.010", "-i", film,
			"-map", "1:v", "-map", "0:a", "-c:v", "copy", "-c:a", "flac"), object{"mp4Support": false})
		w.pick(id, "00:00:01:05")
		w.untilIdle()
		want := ffmpegtest.FrameNumbers(t, w.track(id, "240p"))[30]
		poster := w.read(w.keys("video/" + id + "/thumbnail/")[0])
		if got, err := ffmpegtest.FrameNumber(decodeJPEG(t, poster)); err != nil || got != want {
			t.Errorf("got frame %d, %v want %d", got, err, want)
		}
	})
}

func (w *workshop) pick(id, timecode string) {
	w.t.Helper()
	w.call("PATCH", "/videos/"+id+"/thumbnail", object{"timecode": timecode}).want(200)
}

func TestPosterIsNotBlack(t *testing.T) {
	oneEngine(t, func(t *testing.T, d *db.DB) {
		w := newWorkshop(t, d)
		w.work()
		film := ffmpegtest.Make(t, "late.mp4", "-f", "lavfi", "-i", "color=white:size=320x180:rate=10:duration=6,drawbox=color=black:t=fill:enable='lt(t,2)'",
			"-pix_fmt", "yuv420p")
		id := w.upload(film, object{"mp4Support": false})
		w.untilAll(id, "encoded")
		w.untilIdle()
		posters := w.keys("video/" + id + "/thumbnail/")
		if len(posters) != 1 || brightest(decodeJPEG(t, w.read(posters[0]))) < 200 {
			t.Errorf("got %v want one poster that is not black", posters)
		}
	})
}

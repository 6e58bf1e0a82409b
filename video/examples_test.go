package video_test

import (
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stoa/internal/exampletest"
	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

// The examples of the page are run in the order of somebody who tries them all.
func TestExamplesOfTheDocsWereRun(t *testing.T) {
	t.Parallel()
	w := newWorkshop(t, anyDatabase(t), func(o *video.Options) { o.Restore = true })
	w.work()
	story := exampletest.Read(t, w.callAs("", "GET", "/docs", nil).body, newReader(t))
	story.Set("KEY", w.key)
	story.Swap("YOUR-KEY", w.key)
	story.Swap("YOUR-REFRESH-TOKEN", story.Object("authenticate")["refresh_token"].(string))
	story.Object("refresh")

	swap := func(shown, operation, member string) { story.Swap(shown, story.Object(operation)[member].(string)) }
	story.Swap("2026-05-01", time.Now().UTC().AddDate(0, 0, -7).Format(time.DateOnly)) // plays are kept for a month
	story.Later("createVideo.source.type")                                             // its file is not there yet
	swap("vi4blUQJFrYWbaG44NChkH27", "createVideo", "videoId")
	swap("pl45d5vFFGrfdsdsd156dGhh", "createTheme", "playerId")
	swap("watermark_1BWr2L5MTQwxGkuxKjzh6i", "uploadWatermark", "watermarkId")
	swap("webhook_XXXXXXXXXXXXXXX", "createWebhook", "webhookId")
	swap("to1tcmSFHeYY5KzyhOqVKMKb", "createUploadToken", "token")
	swap("summary_1CGHWuXjhxmeH4WiZ51234", "createSummary", "summaryId")
	swap("li400mYKSgQ6xs7taUeSaEKr", "createLiveStream", "liveStreamId")
	tellFilm(t, w, story)
	tell(story, "updateSummarySource", "getSummarySource", "listSummaries", "listUploadTokens", "getUploadToken", "uploadWithToken", "uploadLogo",
		"listThemes", "getTheme", "updateTheme", "listWatermarks", "listWebhooks", "getWebhook", "listTags",
		"watch", "watchVideo", "watchLive", "getMetric", "getBuckets", "getTimeseries", "listVideoPlays", "listLivePlays",
		"uploadLiveThumbnail", "listLiveStreams", "getLiveStream", "updateLiveStream", "completeLiveStream")
	tell(story, "deleteLiveThumbnail", "deleteLiveStream", "deleteLogo", "deleteTheme", "deleteWatermark", "deleteWebhook", "deleteUploadToken", "deleteSummary")
	tellPrivate(story)
	story.End()
}

func tell(story *exampletest.Story, operations ...string) {
	for _, operation := range operations {
		story.Tell(operation)
	}
}

// tellFilm is the part of a video, from its file to its player.
func tellFilm(t *testing.T, w *workshop, story *exampletest.Story) {
	t.Helper()
	id := story.Object("uploadSource")["videoId"].(string)
	w.untilAll(id, "encoded")
	tell(story, "getVideo", "getVideoStatus", "listVideos", "uploadCaption", "getCaption", "updateCaption", "listCaptions", "uploadChapter", "getChapter", "listChapters",
		"uploadThumbnail", "pickThumbnail", "showPlayer", "getManifest", "getMP4", "getThumbnail", "getCaptionFile", "getChapterFile", "deleteCaption", "deleteChapter")
}

// tellPrivate is what is left of the video: it becomes private, and goes.
func tellPrivate(story *exampletest.Story) {
	assets := story.Object("updateVideo")["assets"].(object)
	_, token, _ := strings.Cut(assets["player"].(string), "token=")
	story.Swap("4a5ee1b2-7c1d-8f3a-9d0e-6b2f1c8a7e54", token)
	tell(story, "openSession", "deleteVideo", "listDiscardedVideos", "getDiscardedVideo", "restoreVideo")
}

// newReader is the folder of somebody who has the files that the examples name.
func newReader(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	source, err := os.ReadFile(ffmpegtest.Source(t, small))
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewRGBA(image.Rect(0, 0, 160, 90))
	for name, write := range map[string]func(io.Writer) error{
		"film.mp4":   func(w io.Writer) error { _, err := w.Write(source); return err },
		"poster.jpg": func(w io.Writer) error { return jpeg.Encode(w, picture, nil) },
		"logo.png":   func(w io.Writer) error { return png.Encode(w, picture) },
		"mark.png":   func(w io.Writer) error { return png.Encode(w, picture) },
		"en.vtt": func(w io.Writer) error {
			_, err := io.WriteString(w, "WEBVTT\n\n00:01.000 --> 00:03.000\nGood morning.\n")
			return err
		},
		"chapters.vtt": func(w io.Writer) error {
			_, err := io.WriteString(w, "WEBVTT\n\n00:00.000 --> 00:09.000\nThe sea\n")
			return err
		},
	} {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := write(f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

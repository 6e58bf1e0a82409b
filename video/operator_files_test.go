package video

import "testing"

func TestFilesAreForSomething(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		sourceFolder("vi1") + "a": UseSources, pendingFolder + "a": UseSources, segmentKey("vi1", "240p", 3): UseStreams, livePartFolder("vi1") + "a": UseStreams,
		mp4Key("vi1"): UseMP4, thumbnailKey("vi1", "a"): UsePictures, pictureKey("vi1", 1): UsePictures, overlayKey("vi1", 0): UsePictures,
		logoKey("pt1", "a"): UsePictures, liveThumbnailKey("li1", "a"): UsePictures,
		"images/1/2/medium.jpeg": "", "video/odd": "", "": "",
	} {
		if got := FileUse(key); got != want {
			t.Errorf("%s: got %q want %q", key, got, want)
		}
	}
}

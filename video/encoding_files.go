package video

import (
	"fmt"
	"strings"
)

// Where the files of a video are kept. Everything of a video is below its folder, so
// that it can be removed without asking what there is.

func videoFolder(id string) string { return "video/" + id + "/" }

// trackFolder is where a rendition, or the sound, is.
func trackFolder(id, track string) string { return videoFolder(id) + "hls/" + track + "/" }

// initKey is the head of a track.
func initKey(id, track string) string { return trackFolder(id, track) + "init.mp4" }

// segmentKey is a segment of a track, counted from the beginning of the video.
func segmentKey(id, track string, number int) string {
	return fmt.Sprintf("%s%d.m4s", trackFolder(id, track), number)
}

func mp4Key(id string) string { return videoFolder(id) + "mp4/source.mp4" }

// overlayFolder has the images of the plan's overlays until the video is encoded:
// whoever owned them may delete them meanwhile.
func overlayFolder(id string) string { return videoFolder(id) + "overlay/" }

func overlayKey(id string, number int) string {
	return fmt.Sprintf("%s%d.png", overlayFolder(id), number)
}

// pictureFolder has the single pictures of the storyboard until its sheets are made.
func pictureFolder(id string) string { return videoFolder(id) + "picture/" }

func pictureKey(id string, number int) string {
	return fmt.Sprintf("%s%d.jpg", pictureFolder(id), number)
}

// sheetKey is a sheet of the storyboard.
func sheetKey(id string, number int) string {
	return fmt.Sprintf("%sstoryboard/%d.jpg", videoFolder(id), number)
}

// mediaType is the content type of a track's files.
func mediaType(track string) string {
	if strings.HasSuffix(track, "p") {
		return "video/mp4"
	}
	return "audio/mp4"
}

package video

import (
	"fmt"
	"strings"
)

// The files of a broadcast are those of the recording that is made of it: they are
// where an encoded video has its own.

// headKey is a head of a track, of which a recording may have several.
func headKey(videoID, track string, number int) string {
	if number == 0 {
		return initKey(videoID, track)
	}
	return trackFolder(videoID, track) + headName(number)
}

// headName is what a head is called in the folder of its track.
func headName(number int) string {
	if number == 0 {
		return "init.mp4"
	}
	return fmt.Sprintf("head%d.mp4", number)
}

// headNumber is the number of the head that a file is.
func headNumber(file string) (int, bool) {
	if file == headName(0) {
		return 0, true
	}
	rest, found := strings.CutPrefix(file, "head")
	n, ok := fileNumber(rest, ".mp4")
	return n, found && ok && n > 0
}

// livePartFolder has the parts of the newest segments, where other processes serve
// viewers too.
func livePartFolder(videoID string) string { return videoFolder(videoID) + "live/" }

func livePartKey(videoID, track string, segment, number int) string {
	return fmt.Sprintf("%s%s/%d.%d.m4s", livePartFolder(videoID), track, segment, number)
}

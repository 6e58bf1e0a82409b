package video

import "strings"

// What the files of the room are for.
const (
	UseSources  = "sources"  // as they were uploaded
	UseStreams  = "streams"  // what players are sent
	UseMP4      = "mp4"      // files to download
	UsePictures = "pictures" // posters, storyboards, logos, watermarks
)

// FileUse is what a file is for; "" if it is none of the room's.
func FileUse(key string) string {
	parts := strings.SplitN(key, "/", 4)
	switch parts[0] {
	case "live", "player", "watermark":
		return UsePictures
	case "video":
	default:
		return ""
	}
	if strings.HasPrefix(key, pendingFolder) {
		return UseSources
	}
	if len(parts) < 4 {
		return ""
	}
	switch parts[2] {
	case "source":
		return UseSources
	case "mp4":
		return UseMP4
	case "hls", "live":
		return UseStreams
	}
	return UsePictures
}

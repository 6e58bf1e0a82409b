package video_test

import (
	"os"
	"testing"

	"stoa/video"
	"stoa/video/internal/ffmpeg/ffmpegtest"
)

func TestMain(m *testing.M) {
	video.Confined()
	if os.Getenv(childDatabase) != "" {
		beWorker()
		return
	}
	ffmpegtest.Main(m)
}

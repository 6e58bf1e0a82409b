package app_test

import (
	"os"
	"testing"

	"stoa/video"
)

func TestMain(m *testing.M) {
	video.Confined() // the app starts this binary to shut ffmpeg in
	os.Exit(m.Run())
}

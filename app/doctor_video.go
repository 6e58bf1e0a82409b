package app

import (
	"context"

	"stoa/video"
)

// examineVideo looks at what the videos need of this machine.
func (c *Config) examineVideo(ctx context.Context) []Finding {
	s := c.Settings
	findings := []Finding{examineEncoder(ctx), examinePort("video port", string(s.VideoListen), "STOA_VIDEO_LISTEN")}
	if s.second() == nil {
		findings = append(findings, examinePort("video port of staging", string(s.SecondVideoListen), "STOA_SECOND_VIDEO_LISTEN"))
	}
	return findings
}

func examineEncoder(ctx context.Context) Finding {
	const what = "ffmpeg"
	text, complete, err := video.Machine(ctx)
	switch {
	case err != nil:
		return Finding{what, false, err.Error(), "apt-get install ffmpeg; without it uploads are taken and wait"}
	case !complete:
		return Finding{what, true, text, "a newer kernel shuts it in better"}
	}
	return Finding{what, true, text, ""}
}

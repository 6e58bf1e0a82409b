package ffmpeg

import (
	"time"

	"stoa/internal/fault"
)

// Media is what a source holds. Video, Audio or neither is nil, not both.
type Media struct {
	Container string        // ffmpeg's name of the format, such as "mov,mp4,m4a,3gp,3g2,mj2"
	Start     time.Duration // what its own clock says at its beginning
	Duration  time.Duration // from the first thing shown or heard to the end of the last
	Bitrate   int64         // of everything, bits per second; 0 unknown
	Video     *VideoStream
	Audio     *AudioStream
}

// VideoStream is the moving picture of a source: of several, the one marked as
// the default, or else the largest. Covers and thumbnails are none.
type VideoStream struct {
	Index         int // among all streams, for -map 0:INDEX
	Codec         string
	PixelFormat   string
	Width, Height int // as shown: turned, with square pixels
	Rotation      int // degrees clockwise that ffmpeg turns by itself when it decodes: 0 to 359
	FrameRate     Rate
	Variable      bool          // frames are not evenly spaced
	HDR           bool          // PQ or HLG light: needs [ToneMap]
	Bitrate       int64         // bits per second; 0 unknown
	Start         time.Duration // after the start of the source
	Duration      time.Duration // 0 unknown
}

// AudioStream is the sound of a source: of several, the default or the first.
type AudioStream struct {
	Index      int // among all streams, for -map 0:INDEX
	Codec      string
	SampleRate int
	Channels   int
	Bitrate    int64         // bits per second; 0 unknown
	Start      time.Duration // after the start of the source
	Duration   time.Duration // 0 unknown
}

// MaxDuration is how long a source may be.
const MaxDuration = 24 * time.Hour

// What is wrong with a source, in words for its owner. The error that Probe
// returns leads to one of them and has more for the log.
var (
	ErrNotVideo    = fault.New(fault.Invalid, "the file is no video or sound that can be read: send a complete video file such as MP4, MOV, MKV or WebM")
	ErrTooLong     = fault.New(fault.Invalid, "the video is longer than 24 hours: send it in shorter pieces")
	ErrTooLarge    = fault.New(fault.Invalid, "the picture is larger than 8192 x 8192 pixels: send a smaller one")
	ErrUnsupported = fault.New(fault.Invalid, "the video is of a kind that cannot be decoded: send it as H.264, HEVC, VP9 or AV1")
)

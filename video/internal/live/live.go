// Package live is what a broadcast is made of: what publishers send, cut into what
// viewers are served.
//
// A publisher comes through a [Door] with the key of a stream and gets a [Feed] for its
// frames. They are set on the time line of the broadcast and cut ([Packager], [Cutter])
// into parts and segments of each track, which go to a [Sink] that keeps them. A
// [Window] is what viewers can have of a track at a moment, in the process that cuts it
// and in every other.
package live

import (
	"context"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/internal/fault"
)

// Format is what a track holds, such as *codecs.H264 with its parameter sets.
type Format = codecs.Codec

// Frame is a picture, or a piece of sound.
type Frame struct {
	Track   int           // which of the feed's formats
	DTS     time.Duration // when it is decoded; the clock begins anywhere and may jump
	PTS     time.Duration // when it is shown
	Key     bool          // decoding can begin with it; always so for sound
	Payload []byte        // as MP4 keeps it: NAL units behind their lengths, AAC without a header
}

// Publisher says who sends, for the log.
type Publisher struct {
	Protocol string // "rtmp", "rtmps", "srt" or "whip"
	Address  string
}

// Door lets publishers in.
type Door interface {
	// Enter begins the broadcast of the stream that a key belongs to, or goes on with
	// it. It answers ErrUnknownKey or ErrBusy, or what else keeps it from that.
	Enter(ctx context.Context, key string, from Publisher) (Feed, error)
}

// Feed takes what one publisher sends. Its methods are called by one goroutine, but for
// Done.
type Feed interface {
	// Start names the formats of the tracks: before the first frame, and again when one
	// of them changes. At most one is a picture and one is sound.
	Start(formats []Format) error
	// Write takes a frame, and its payload for its own. ErrEnded says that no more is
	// wanted.
	Write(Frame) error
	// Done is closed when the publisher has to go.
	Done() <-chan struct{}
	// Close says that the publisher has gone. It may come back.
	Close()
}

// What keeps a publisher out.
var (
	ErrUnknownKey = fault.New(fault.NotFound, "no live stream has this key: copy it from the live stream again")
	ErrBusy       = fault.New(fault.Invalid, "somebody else publishes to this live stream: stop that program first")
	ErrEnded      = fault.New(fault.Invalid, "the broadcast has ended")
	ErrFormat     = fault.New(fault.Invalid, "this kind of picture or sound cannot be broadcast: send H.264 with AAC")
)

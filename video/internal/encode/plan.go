package encode

import (
	"math"
	"strings"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/ffmpeg"
)

// Plan says how a source is encoded. It is kept as JSON, so that every worker
// does the same, today and after an update.
type Plan struct {
	Rate          Rate          `json:"rate"`
	Frames        int           `json:"frames"`          // of the whole video
	SegmentFrames int           `json:"segment_frames"`  // of every segment but the last
	ChunkSegments int           `json:"chunk_segments"`  // of every chunk but the last
	PictureFrames int           `json:"picture_frames"`  // from one picture of the storyboard to the next
	Renditions    []Rendition   `json:"renditions"`      // the largest first
	Video         int           `json:"video"`           // number of the source's stream; -1: none, a black picture is made
	Audio         int           `json:"audio"`           // number of the source's stream; -1: none
	Origin        time.Duration `json:"origin,omitzero"` // what the clock of the source says at its beginning; old plans do not tell
	Start         time.Duration `json:"start"`           // where in the source the video begins
	Lead          time.Duration `json:"lead"`            // how long before a place decoding begins, to have its picture whole
	HDR           bool          `json:"hdr"`
	Overlays      []Overlay     `json:"overlays,omitempty"`
	Recording     *Recording    `json:"recording,omitempty"` // of a video that is not encoded but was broadcast
}

// Recording is what the plan of a recording has in the place of frames and segments,
// which are as they came.
type Recording struct {
	Length time.Duration    `json:"length"`
	Clocks map[string]int64 `json:"clocks"` // by track: units per second
}

// Options are the wishes for a video.
type Options struct {
	Start, End time.Duration // the part of the source that is wanted; End 0: all of it
	Watermarks []Watermark   // their images are given to Chunk in the same order
}

// ErrNothing says that the wanted part of the source is empty.
var ErrNothing = fault.New(fault.Invalid, "the clip begins after its own end or that of the source: choose an earlier beginning")

const (
	segmentSeconds = 4
	chunkSegments  = 12 // at most: about 48 s, so that starting one costs next to nothing
	fewChunks      = 4  // a short video is cut into so many, for workers to share

	audioClock   = 48_000 // samples per second
	audioSamples = 1024   // of an AAC frame; and what the encoder puts before the first
)

// NewPlan plans the encoding of a source.
func NewPlan(media ffmpeg.Media, o Options) (Plan, error) {
	duration := media.Duration
	if o.End > 0 {
		duration = min(duration, o.End)
	}
	duration -= o.Start
	if duration <= 0 {
		return Plan{}, ErrNothing
	}
	p := Plan{Origin: media.Start, Start: o.Start, Video: -1, Audio: -1, Rate: Rate{10, 1}}
	width, height := 426, 240
	if v := media.Video; v != nil {
		width, height = v.Width, v.Height
		p.Video, p.HDR, p.Rate, p.Lead = v.Index, v.HDR, outputRate(v.FrameRate), lead(media.Container)
	}
	if media.Audio != nil {
		p.Audio = media.Audio.Index
	}
	p.Renditions = Ladder(width, height, p.Rate)
	for _, w := range o.Watermarks {
		p.Overlays = append(p.Overlays, w.place(width, height, p.Renditions[0]))
	}
	p.cut(duration)
	return p, nil
}

// lead is long where the container has no index of key frames: seeking ends
// anywhere then, and the next key frame may be seconds away.
func lead(container string) time.Duration {
	if strings.Contains(container, "mp4") || strings.Contains(container, "matroska") {
		return 0
	}
	return 12 * time.Second
}

// cut divides the time line.
func (p *Plan) cut(duration time.Duration) {
	fps := p.Rate.FPS()
	p.Frames = max(1, int(math.Round(duration.Seconds()*fps)))
	p.SegmentFrames = int(math.Round(segmentSeconds * fps))

	segments := p.Segments()
	chunks := max(1, min(fewChunks, segments/2), (segments+chunkSegments-1)/chunkSegments)
	p.ChunkSegments = (segments + chunks - 1) / chunks

	p.PictureFrames = int(math.Round(pictureTime(duration).Seconds() * fps))
}

// pictureTime is from one picture of a storyboard to the next.
func pictureTime(duration time.Duration) time.Duration {
	if duration > time.Hour {
		return 10 * time.Second
	}
	return 5 * time.Second
}

// Duration is how long the video is.
func (p Plan) Duration() time.Duration {
	if p.Recording != nil {
		return p.Recording.Length
	}
	return time.Duration(math.Round(p.Rate.seconds(p.Frames) * float64(time.Second)))
}

// Timescale is the clock of the track: units per second of [Segment.Duration].
func (p Plan) Timescale(track string) int64 {
	if p.Recording != nil {
		return p.Recording.Clocks[track]
	}
	if track == AudioTrack {
		return audioClock
	}
	second, _ := p.Rate.clock()
	return second
}

// Segments is how many segments every rendition has.
func (p Plan) Segments() int { return (p.Frames + p.SegmentFrames - 1) / p.SegmentFrames }

// Chunks is how many chunks there are. They are numbered from 0.
func (p Plan) Chunks() int { return (p.Segments() + p.ChunkSegments - 1) / p.ChunkSegments }

// FirstSegment is the number of a chunk's first segment. That of the chunk after
// the last is the number of all segments.
func (p Plan) FirstSegment(chunk int) int { return min(chunk*p.ChunkSegments, p.Segments()) }

// firstFrame is the number of a segment's first frame.
func (p Plan) firstFrame(segment int) int { return min(segment*p.SegmentFrames, p.Frames) }

// PictureTime is when a picture of the storyboard is shown.
func (p Plan) PictureTime(number int) time.Duration {
	if p.Recording != nil {
		return time.Duration(number) * pictureTime(p.Recording.Length)
	}
	return time.Duration(math.Round(p.Rate.seconds(number*p.PictureFrames) * float64(time.Second)))
}

// Pictures is how many pictures the storyboard has.
func (p Plan) Pictures() int {
	if r := p.Recording; r != nil {
		if p.Video < 0 {
			return 0
		}
		every := pictureTime(r.Length)
		return int((r.Length + every - 1) / every)
	}
	return (p.Frames + p.PictureFrames - 1) / p.PictureFrames
}

// samples is how long the sound is.
func (p Plan) samples() int64 {
	return (int64(p.Frames)*p.Rate.Den*audioClock + p.Rate.Num - 1) / p.Rate.Num
}

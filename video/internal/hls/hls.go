// Package hls writes the playlists of a video.
//
// A master playlist ([Master]) names the renditions, their sound, their captions
// and their key frames; each of these has a playlist of its own ([Media],
// [IFrames], [Subtitles]). All are made of what is known of the segments, on
// request, so that a playlist grows while the video is still encoded. Addresses
// are the caller's and are written as they are.
package hls

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ContentType is that of every playlist.
const ContentType = "application/vnd.apple.mpegurl"

// Segment is what a playlist says of a file of a track.
type Segment struct {
	URL             string
	Duration        int64 // units of the track's clock
	Bytes           int64
	FirstFrameBytes int64 // how much of the file shows the first picture; 0: it begins in the middle

	Init  string // address of the head that it and those after it need; "": that of the one before
	Break bool   // it does not go on from the one before
	Gap   bool   // there is no such file
}

// Track is the files of a rendition or of the sound.
type Track struct {
	Init      string // address of its head
	Timescale int64  // units of its clock per second
	Segments  []Segment
	Done      bool // no segments will follow
	Dependent bool // some segments begin in the middle of pictures that go together
}

// Media is the playlist of a track. One that is not done begins at the
// beginning, where a player would else go to the end as in a live stream.
func Media(t Track) []byte {
	var b playlist
	b.trackHead(t)
	if !t.Done {
		b.line("#EXT-X-START:TIME-OFFSET=0,PRECISE=YES")
	}
	if !t.Dependent {
		b.line("#EXT-X-INDEPENDENT-SEGMENTS")
	}
	b.line("#EXT-X-MAP:URI=%s", quoted(t.Init))
	for _, s := range t.Segments {
		b.change(s.Break, s.Init)
		if s.Gap {
			b.line("#EXT-X-GAP")
		}
		b.line("#EXTINF:%s,", t.seconds(s.Duration))
		b.line("%s", s.URL)
	}
	b.end(t.Done)
	return b.bytes()
}

// IFrames is the playlist of the first pictures of the segments, for looking
// through a video fast.
func IFrames(t Track) []byte {
	t.Segments = t.firstFrames()
	var b playlist
	b.trackHead(t)
	b.line("#EXT-X-I-FRAMES-ONLY")
	b.line("#EXT-X-MAP:URI=%s", quoted(t.Init))
	for _, s := range t.Segments {
		b.change(s.Break, s.Init)
		b.line("#EXTINF:%s,", t.seconds(s.Duration))
		b.line("#EXT-X-BYTERANGE:%d@0", s.FirstFrameBytes)
		b.line("%s", s.URL)
	}
	b.end(t.Done)
	return b.bytes()
}

// firstFrames are the segments that begin with a picture. Each lasts until the next one
// of these.
func (t Track) firstFrames() (all []Segment) {
	var broken bool
	var init string
	for _, s := range t.Segments {
		broken = broken || s.Break
		if s.Init != "" {
			init = s.Init
		}
		switch {
		case s.FirstFrameBytes > 0:
			s.Break, s.Init = broken && len(all) > 0, init
			all = append(all, s)
			broken, init = false, ""
		case len(all) > 0:
			all[len(all)-1].Duration += s.Duration
		}
	}
	return all
}

// Subtitles is the playlist of captions that are one file for the whole video.
func Subtitles(url string, seconds float64) []byte {
	var b playlist
	b.head(3)
	b.line("#EXT-X-TARGETDURATION:%d", max(1, int64(math.Ceil(seconds))))
	b.line("#EXT-X-MEDIA-SEQUENCE:0")
	b.line("#EXT-X-PLAYLIST-TYPE:VOD")
	b.line("#EXTINF:%s,", decimal(seconds))
	b.line("%s", url)
	b.end(true)
	return b.bytes()
}

// target is the bound on the seconds of a segment. While a playlist grows it
// must not change: so it is never below that of a usual segment, for the first
// list may be empty, and sound is cut a little after four seconds.
func (t Track) target() int64 {
	target := int64(5)
	for _, s := range t.Segments {
		target = max(target, int64(math.Ceil(t.in(s.Duration))))
	}
	return target
}

func (t Track) in(units int64) float64 { return float64(units) / float64(max(1, t.Timescale)) }

func (t Track) seconds(units int64) string { return decimal(t.in(units)) }

// decimal has microseconds, so that a day of rounded durations adds up.
func decimal(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 6, 64) }

// quoted is a string attribute. The format has no way to write a quote or a line
// break in one, so they are replaced.
func quoted(s string) string {
	return `"` + strings.Map(func(r rune) rune {
		switch {
		case r == '"':
			return '\''
		case r < ' ' || r == 0x7f:
			return ' '
		}
		return r
	}, s) + `"`
}

// playlist is the text as it grows.
type playlist struct{ text strings.Builder }

func (p *playlist) head(version int) {
	p.line("#EXTM3U")
	p.line("#EXT-X-VERSION:%d", version)
}

// trackHead begins a playlist that has a track from its beginning.
func (p *playlist) trackHead(t Track) {
	p.head(7)
	p.line("#EXT-X-TARGETDURATION:%d", t.target())
	p.line("#EXT-X-MEDIA-SEQUENCE:0")
	if t.Done {
		p.line("#EXT-X-PLAYLIST-TYPE:VOD")
	} else {
		p.line("#EXT-X-PLAYLIST-TYPE:EVENT")
	}
}

func (p *playlist) line(format string, args ...any) {
	fmt.Fprintf(&p.text, format, args...)
	p.text.WriteByte('\n')
}

// change says what is new from here on.
func (p *playlist) change(broken bool, init string) {
	if broken {
		p.line("#EXT-X-DISCONTINUITY")
	}
	if init != "" {
		p.line("#EXT-X-MAP:URI=%s", quoted(init))
	}
}

func (p *playlist) end(done bool) {
	if done {
		p.line("#EXT-X-ENDLIST")
	}
}

func (p *playlist) bytes() []byte { return []byte(p.text.String()) }

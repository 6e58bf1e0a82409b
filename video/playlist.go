package video

import (
	"cmp"
	"fmt"
	"strings"
	"sync"
	"time"

	"stoa/video/internal/encode"
	"stoa/video/internal/hls"
	"stoa/video/internal/language"
)

// Playlists name other files relative to themselves, so that these are found below the
// same token. carry is what every address ends with: the session of a private video.

// master is the playlist of playlists.
func (p *playback) master(carry string) []byte {
	plan := p.encoding.plan
	var renditions []hls.Rendition
	for _, r := range plan.Renditions {
		rendition := hls.Rendition{
			URL: r.Name + "/manifest.m3u8" + carry, Width: r.Width, Height: r.Height, FrameRate: plan.Rate.FPS(),
			Codec: p.codecs[r.Name], Track: p.trackList(r.Name, carry),
		}
		if r.Name != encode.AudioTrack {
			rendition.IFrames = r.Name + "/iframes.m3u8" + carry
		}
		renditions = append(renditions, rendition)
	}
	var sound *hls.Audio
	if p.hasTrack(encode.AudioTrack) && plan.Renditions[0].Name != encode.AudioTrack {
		sound = &hls.Audio{
			URL: encode.AudioTrack + "/manifest.m3u8" + carry, Codec: p.codecs[encode.AudioTrack], Track: p.trackList(encode.AudioTrack, carry),
		}
	}
	var subtitles []hls.Caption
	for _, t := range p.captions {
		name, _ := language.Caption(t.language)
		subtitles = append(subtitles, hls.Caption{
			URL: subtitlesFolder + "/" + t.language + ".m3u8" + carry, Language: t.language, Name: name, Default: t.isDefault,
		})
	}
	return hls.Master(renditions, sound, subtitles)
}

// subtitlesFolder stands where those of tracks do.
const subtitlesFolder = "subtitles"

// trackList is what is there of a rendition or of the sound.
func (p *playback) trackList(name, carry string) hls.Track {
	t := hls.Track{Timescale: p.encoding.plan.Timescale(name), Done: p.ended()}
	head := ""
	for n, s := range p.segments[name] {
		folder := ""
		if s.Track != "" {
			folder = "../" + s.Track + "/"
		}
		listed := hls.Segment{
			URL: fmt.Sprintf("%s%d.m4s%s", folder, n, carry), Duration: s.Duration, Bytes: s.Bytes, FirstFrameBytes: s.FirstFrame,
			Break: s.Break, Gap: s.Bytes == 0,
		}
		if init := folder + headName(s.Head) + carry; !listed.Gap && init != head {
			if head != "" {
				listed.Init = init
			}
			head = init
			t.Init = cmp.Or(t.Init, init)
		}
		t.Dependent = t.Dependent || !listed.Gap && s.FirstFrame == 0 && name != encode.AudioTrack
		t.Segments = append(t.Segments, listed)
	}
	t.Init = cmp.Or(t.Init, headName(0)+carry)
	return t
}

// playlist is the playlist of a name in the folder of a track or of the subtitles, nil
// if there is none.
func (p *playback) playlist(folder, name string) func(carry string) []byte {
	switch {
	case !p.encoding.playable:
		return nil
	case folder == subtitlesFolder:
		tag, found := strings.CutSuffix(name, ".m3u8")
		if !found || findLanguage(p.captions, tag) == nil {
			return nil
		}
		return func(carry string) []byte {
			return hls.Subtitles("../../captions/"+tag+".vtt"+carry, p.seconds())
		}
	case name == "manifest.m3u8" && p.hasTrack(folder):
		return func(carry string) []byte { return hls.Media(p.trackList(folder, carry)) }
	case name == "iframes.m3u8" && p.hasTrack(folder) && folder != encode.AudioTrack:
		return func(carry string) []byte { return hls.IFrames(p.trackList(folder, carry)) }
	}
	return nil
}

// findLanguage is the track of a language, nil if there is none.
func findLanguage(tracks []track, tag string) *track {
	for i := range tracks {
		if tracks[i].language == tag {
			return &tracks[i]
		}
	}
	return nil
}

// once remembers a text that is the same for everybody as long as the playback is.
// The name must be one of a few. What is made for a session is not remembered.
func (p *playback) once(name, carry string, text func(carry string) []byte) []byte {
	if carry != "" {
		return text(carry)
	}
	first, _ := p.texts.LoadOrStore(name, sync.OnceValue(func() []byte { return text("") }))
	return first.(func() []byte)()
}

// storyboardText is the WebVTT file that says which part of which sheet shows a moment.
func (p *playback) storyboardText(carry string) []byte {
	var b strings.Builder
	b.WriteString("WEBVTT\n")
	plan, board := p.encoding.plan, p.board
	for n := range board.Pictures {
		from, to := plan.PictureTime(n), plan.Duration()
		if n+1 < board.Pictures {
			to = plan.PictureTime(n + 1)
		}
		place := n % board.PerSheet
		fmt.Fprintf(&b, "\n%s --> %s\nstoryboard/%d.jpg%s#xywh=%d,%d,%d,%d\n", cueTime(from), cueTime(to), n/board.PerSheet, carry,
			place%board.Columns*board.Width, place/board.Columns*board.Height, board.Width, board.Height)
	}
	return []byte(b.String())
}

// cueTime is a moment as WebVTT writes it.
func cueTime(d time.Duration) string {
	ms := d.Milliseconds()
	return fmt.Sprintf("%02d:%02d:%02d.%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, ms%1000)
}

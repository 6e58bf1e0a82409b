package video

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// recording is what was broadcast, as a video has it.
type recording struct {
	plan     encode.Plan // without renditions if there is nothing
	media    ffmpeg.Media
	segments map[string][]keptSegment // by track
	pictures int                      // segments of every track of pictures
	codecs   map[string]string
	size     int64 // bytes
}

// folding is a broadcast on its way to become a recording. Segments of all tracks with
// one number are of the same time.
type folding struct {
	heads   map[string][]storedHead          // by track, in order
	cut     map[string]map[int]storedSegment // by track and number
	tracks  []string                         // the highest picture first, the sound last
	count   int                              // of numbers
	lengths []time.Duration                  // by number
	breaks  []bool                           // by number
}

// foldBroadcast makes a recording of what is stored of a broadcast: not more of it than
// longest, if that is not 0.
func foldBroadcast(heads []storedHead, segments []storedSegment, longest time.Duration) recording {
	f := newFolding(heads, segments)
	f.shorten(longest)
	r := recording{segments: map[string][]keptSegment{}, codecs: map[string]string{}, plan: encode.Plan{Video: -1, Audio: -1, Rate: encode.Rate{Num: 25, Den: 1}}}
	if f.count == 0 {
		return r
	}
	for _, track := range f.tracks {
		r.segments[track], r.codecs[track] = f.track(track), f.heads[track][0].Codec
		if track == encode.AudioTrack {
			r.plan.Audio = 1
		} else {
			r.plan.Video, r.pictures = 0, f.count
		}
	}
	f.breakAlike(r.segments)
	r.plan.Recording = &encode.Recording{Length: f.length(), Clocks: map[string]int64{}}
	for _, track := range f.tracks {
		r.plan.Recording.Clocks[track] = f.clock(track)
	}
	r.plan.Renditions = f.renditions(r.segments)
	f.describe(&r)
	return r
}

func newFolding(heads []storedHead, segments []storedSegment) *folding {
	f := &folding{heads: map[string][]storedHead{}, cut: map[string]map[int]storedSegment{}}
	for _, h := range heads {
		f.heads[h.track] = append(f.heads[h.track], h)
	}
	for _, g := range segments {
		if len(f.heads[g.track]) == 0 {
			continue // nobody could play it
		}
		if f.cut[g.track] == nil {
			f.cut[g.track] = map[int]storedSegment{}
		}
		f.cut[g.track][g.Number] = g
		f.count = max(f.count, g.Number+1)
	}
	f.tracks = slices.SortedFunc(maps.Keys(f.cut), func(a, b string) int { return cmp.Compare(trackHeight(b), trackHeight(a)) })
	f.lengths, f.breaks = make([]time.Duration, f.count), make([]bool, f.count)
	for _, track := range slices.Backward(f.tracks) { // pictures have the last word
		for n, g := range f.cut[track] {
			f.lengths[n] = unitsToTime(g.Duration, f.clock(track))
			f.breaks[n] = f.breaks[n] || g.Break
		}
	}
	return f
}

// trackHeight is the number in the name of a track, 0 for sound.
func trackHeight(track string) int {
	height, _ := strconv.Atoi(strings.TrimSuffix(track, "p"))
	return height
}

func (f *folding) clock(track string) int64 { return f.heads[track][0].Clock }

// shorten leaves as many whole segments as fit, and the first in any case.
func (f *folding) shorten(longest time.Duration) {
	if longest == 0 {
		return
	}
	var length time.Duration
	for n, d := range f.lengths {
		if length += d; n > 0 && length > longest {
			f.count = n
			return
		}
	}
}

func (f *folding) length() (sum time.Duration) {
	for _, d := range f.lengths[:f.count] {
		sum += d
	}
	return sum
}

// track lists the segments of a track. Where it has none, because the publisher changed
// the size of the picture, those of the nearest other one stand in; there is a gap if
// there is none either.
func (f *folding) track(name string) []keptSegment {
	list := make([]keptSegment, f.count)
	last := name
	for n := range list {
		list[n] = f.find(name, n)
		from := cmp.Or(list[n].Track, name)
		list[n].Break = n > 0 && (f.breaks[n] || from != last)
		last = from
	}
	return list
}

// breakAlike has all tracks break where one does: players count the breaks of one track
// to find their place in another.
func (f *folding) breakAlike(tracks map[string][]keptSegment) {
	for n := range f.count {
		broken := false
		for _, list := range tracks {
			broken = broken || list[n].Break
		}
		for _, list := range tracks {
			list[n].Break = broken
		}
	}
}

func (f *folding) find(name string, number int) keptSegment {
	for _, track := range f.standIns(name) {
		if g, found := f.cut[track][number]; found {
			k := keptSegment{Duration: g.Duration, Bytes: int64(g.Size), FirstFrame: int64(g.FirstFrame), Head: g.Head}
			if track != name {
				k.Track = track
			}
			return k
		}
	}
	return keptSegment{Duration: int64(f.lengths[number].Seconds() * float64(f.clock(name)))}
}

// standIns are the tracks that can be shown as one: itself, the lower ones from the top
// down, and the higher ones from below.
func (f *folding) standIns(name string) []string {
	if name == encode.AudioTrack {
		return []string{name}
	}
	at := slices.Index(f.tracks, name)
	order := slices.Clone(f.tracks[at:])
	for _, higher := range slices.Backward(f.tracks[:at]) {
		order = append(order, higher)
	}
	return slices.DeleteFunc(order, func(track string) bool { return track == encode.AudioTrack })
}

// renditions are the sizes to choose from. One that shows nothing else than a higher one
// is left out. Sound alone is one, too.
func (f *folding) renditions(segments map[string][]keptSegment) (all []encode.Rendition) {
	for _, track := range f.tracks {
		if track == encode.AudioTrack && len(all) > 0 {
			continue
		}
		if slices.ContainsFunc(all, func(r encode.Rendition) bool { return sameFiles(r.Name, segments[r.Name], track, segments[track]) }) {
			continue
		}
		h := f.heads[track][0]
		all = append(all, encode.Rendition{Name: track, Width: h.Width, Height: h.Height})
	}
	return all
}

func sameFiles(a string, of []keptSegment, b string, with []keptSegment) bool {
	for n := range of {
		if cmp.Or(of[n].Track, a) != cmp.Or(with[n].Track, b) {
			return false
		}
	}
	return true
}

// describe says what the recording is.
func (f *folding) describe(r *recording) {
	for _, track := range f.tracks {
		for n, g := range f.cut[track] {
			if n < f.count {
				r.size += int64(g.Size)
			}
		}
	}
	r.media.Container, r.media.Duration = recordedContainer, f.length()
	if seconds := r.media.Duration.Seconds(); seconds > 0 {
		r.media.Bitrate = int64(float64(8*r.size) / seconds)
	}
	highest := f.tracks[0]
	if highest != encode.AudioTrack {
		h := f.heads[highest][0]
		rate := f.rate(highest)
		r.plan.Rate = encode.Rate{Num: rate.Num, Den: rate.Den}
		r.media.Video = &ffmpeg.VideoStream{Codec: codecName(h.Codec), Width: h.Width, Height: h.Height, FrameRate: rate, Duration: r.media.Duration}
	}
	if r.plan.Audio >= 0 {
		h := f.heads[encode.AudioTrack][0]
		r.media.Audio = &ffmpeg.AudioStream{Index: 1, Codec: codecName(h.Codec), SampleRate: int(h.Clock), Duration: r.media.Duration}
	}
}

// recordedContainer is ffmpeg's name of what segments are.
const recordedContainer = "mov,mp4,m4a,3gp,3g2,mj2"

// rate is about how many pictures a second a track has.
func (f *folding) rate(track string) ffmpeg.Rate {
	var frames, units int64
	for n, g := range f.cut[track] {
		if n < f.count {
			frames, units = frames+int64(g.frames), units+g.Duration
		}
	}
	if frames == 0 || units == 0 {
		return ffmpeg.Rate{Num: 25, Den: 1}
	}
	measured := float64(frames) * float64(f.clock(track)) / float64(units)
	for _, usual := range []ffmpeg.Rate{{Num: 24000, Den: 1001}, {Num: 24, Den: 1}, {Num: 25, Den: 1}, {Num: 30000, Den: 1001}, {Num: 30, Den: 1},
		{Num: 50, Den: 1}, {Num: 60000, Den: 1001}, {Num: 60, Den: 1}} {
		if near := measured / usual.Float(); near > 0.9995 && near < 1.0005 {
			return usual
		}
	}
	return ffmpeg.Rate{Num: max(1, int64(measured*1000+0.5)), Den: 1000}
}

// codecName is ffmpeg's name of a codec.
func codecName(codec string) string {
	kind, rest, _ := strings.Cut(codec, ".")
	switch strings.ToLower(kind) {
	case "avc1", "avc3":
		return "h264"
	case "hvc1", "hev1":
		return "hevc"
	case "av01":
		return "av1"
	case "vp09":
		return "vp9"
	case "mp4a":
		if strings.HasPrefix(rest, "40") && rest != "40.34" {
			return "aac"
		}
		return "mp3"
	case "ac-3":
		return "ac3"
	}
	return strings.ToLower(kind)
}

package live

import (
	"cmp"
	"slices"

	"stoa/video/internal/hls"
)

// Master is the playlist of the lists of a broadcast, those of pictures by size. Tracks
// without a head are left out; nil means that there is none to list. url is the address
// of the list of a track.
func Master(tracks map[string]*Window, url func(track string) string) []byte {
	var pictures []hls.LiveRendition
	var sound *hls.LiveRendition
	for track, w := range tracks {
		heads := w.Heads()
		if len(heads) == 0 {
			continue
		}
		h := heads[len(heads)-1]
		r := hls.LiveRendition{URL: url(track), Codec: h.Codec, Width: h.Width, Height: h.Height}
		r.Average, r.Peak = w.Bandwidth()
		if h.Height > 0 {
			pictures = append(pictures, r)
		} else {
			sound = &r
		}
	}
	if len(pictures) == 0 && sound == nil {
		return nil
	}
	slices.SortFunc(pictures, func(a, b hls.LiveRendition) int {
		return cmp.Or(b.Height-a.Height, cmp.Compare(a.URL, b.URL))
	})
	return hls.LiveMaster(pictures, sound)
}

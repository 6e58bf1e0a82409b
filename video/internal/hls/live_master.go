package hls

// LiveRendition is one size of a broadcast in its master playlist, or its sound.
type LiveRendition struct {
	URL     string // of its list
	Codec   string
	Width   int // 0: sound
	Height  int
	Peak    int // bits per second
	Average int
}

// LiveMaster is the playlist of the lists of a broadcast. A nil sound is a silent one;
// without pictures the sound stands alone.
func LiveMaster(pictures []LiveRendition, sound *LiveRendition) []byte {
	var b playlist
	b.head(9)
	if sound != nil && len(pictures) > 0 {
		b.line(`#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Audio",DEFAULT=YES,AUTOSELECT=YES,URI=%s`, quoted(sound.URL))
	}
	if len(pictures) == 0 && sound != nil {
		b.line("#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,CODECS=%s",
			max(1, sound.Peak), max(1, sound.Average), quoted(sound.Codec))
		b.line("%s", sound.URL)
	}
	for _, p := range pictures {
		codecs, group := p.Codec, ""
		if sound != nil {
			p.Peak, p.Average = p.Peak+sound.Peak, p.Average+sound.Average
			codecs, group = codecs+","+sound.Codec, `,AUDIO="audio"`
		}
		b.line("#EXT-X-STREAM-INF:BANDWIDTH=%d,AVERAGE-BANDWIDTH=%d,RESOLUTION=%dx%d,CODECS=%s%s",
			max(1, p.Peak), max(1, p.Average), p.Width, p.Height, quoted(codecs), group)
		b.line("%s", p.URL)
	}
	return b.bytes()
}

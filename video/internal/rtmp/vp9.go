package rtmp

import (
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/vp9"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
)

// readVP9 tells whether a picture is a key frame, and sets the format that one describes.
func (p *picture) readVP9(b []byte) (key bool) {
	var h vp9.Header
	if h.Unmarshal(b) != nil || h.NonKeyFrame || h.ShowExistingFrame || h.ColorConfig == nil || h.FrameSize == nil {
		return false
	}
	format := codecs.VP9{
		Width: h.Width(), Height: h.Height(), Profile: h.Profile, BitDepth: h.ColorConfig.BitDepth,
		ChromaSubsampling: h.ChromaSubsampling(), ColorRange: h.ColorConfig.ColorRange,
	}
	if have, same := p.format.(*codecs.VP9); !same || *have != format {
		p.format = &format
	}
	return true
}

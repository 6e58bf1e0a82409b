package encode

import (
	"fmt"
	"strings"

	"stoa/video/internal/ffmpeg"
)

// filter is the graph of a chunk: frames from..to of the video, each once, as
// outputs [v0], [v1], … for the renditions and [board] for the storyboard.
func filter(p Plan, from, to int) string {
	chains := []string{p.frames(from, to)}
	last := "[frames]"
	for i, o := range p.Overlays {
		next := fmt.Sprintf("[marked%d]", i)
		chains = append(chains, o.image(i, p.inputs()+i), fmt.Sprintf("%s[mark%d]overlay=%d:%d%s", last, i, o.X, o.Y, next))
		last = next
	}
	// Each size is made of the next larger one, which is much less work than
	// making all of them from the largest.
	for i := range p.Renditions {
		if i > 0 {
			r := p.Renditions[i]
			chains = append(chains, fmt.Sprintf("%sscale=%d:%d:flags=bicubic,setsar=1[scaled%d]", last, r.Width, r.Height, i))
			last = fmt.Sprintf("[scaled%d]", i)
		}
		next := fmt.Sprintf("[rest%d]", i)
		chains = append(chains, fmt.Sprintf("%ssplit=2[v%d]%s", last, i, next))
		last = next
	}
	chains = append(chains, fmt.Sprintf(`%sselect=not(mod(pts\,%d)),%s[board]`, last, p.PictureFrames, boardPicture(p.Renditions[0])))
	return strings.Join(chains, ";")
}

// frames makes frames from..to in the size of the largest rendition. After fps,
// the time of a frame is its number.
func (p Plan) frames(from, to int) string {
	largest := p.Renditions[0]
	if p.Video < 0 {
		return fmt.Sprintf("color=c=black:s=%dx%d:r=%d/%d,trim=end_pts=%d,setpts=PTS+%d,format=yuv420p[frames]",
			largest.Width, largest.Height, p.Rate.Num, p.Rate.Den, to-from, from)
	}
	// The scaler comes first, as it alone copes with pictures that change their
	// size in the middle. It keeps fields apart for the deinterlacer, which leaves
	// whole frames as they are.
	chain := fmt.Sprintf("[0:%d]scale=%d:%d:flags=bicubic:interl=-1:out_range=tv,setsar=1,", p.Video, largest.Width, largest.Height)
	if !p.HDR {
		chain += "format=yuv420p,"
	}
	chain += fmt.Sprintf("yadif=deint=interlaced,%s,fps=%d/%d,", p.times(from), p.Rate.Num, p.Rate.Den)
	// A source that ends early stands still.
	chain += fmt.Sprintf("tpad=stop=-1:stop_mode=clone,trim=start_pts=%d:end_pts=%d", from, to)
	if p.HDR {
		chain += ",setparams=color_primaries=bt2020:colorspace=bt2020nc," + ffmpeg.ToneMap
	}
	return chain + "[frames]"
}

// times moves the video's beginning to 0. The first frame that is decoded is
// needed for the first frame that is wanted, also if it comes late: then there
// is none before it.
func (p Plan) times(from int) string {
	pts := "PTS"
	if begin := p.begin(); begin != 0 {
		pts = fmt.Sprintf("PTS%+d/1000000/TB", -begin)
	}
	return fmt.Sprintf(`setpts=round(if(eq(N\,0)\,min(%s\,floor(%d*%d/%d/TB))\,%s))`, pts, from, p.Rate.Den, p.Rate.Num, pts)
}

// image prepares the image of an overlay.
func (o Overlay) image(number, input int) string {
	chain := fmt.Sprintf("[%d:v:0]scale=%d:%d:flags=bicubic,format=rgba", input, o.Width, o.Height)
	if o.Opacity < 1 {
		chain += fmt.Sprintf(",colorchannelmixer=aa=%.3g", o.Opacity)
	}
	return fmt.Sprintf("%s[mark%d]", chain, number)
}

// inputs is how many inputs come before those of the overlays.
func (p Plan) inputs() int {
	if p.Video < 0 {
		return 0
	}
	return 1
}

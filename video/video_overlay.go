package video

import (
	"stoa/video/internal/encode"
	"stoa/video/internal/problem"
)

// overlay is the watermark of a video and where it stands, as it was asked for.
type overlay struct {
	ID      string `json:"id"`
	Top     string `json:"top,omitempty"`
	Left    string `json:"left,omitempty"`
	Bottom  string `json:"bottom,omitempty"`
	Right   string `json:"right,omitempty"`
	Width   string `json:"width,omitempty"`
	Height  string `json:"height,omitempty"`
	Opacity string `json:"opacity,omitempty"`
}

// readOverlay reads the watermark of a new video. Whether there is one of that id is
// for the caller to see.
func readOverlay(f fields, v *video) (o overlay, problems []*problem.Error) {
	if p := f.read("watermark", &o, "an object of strings"); p != nil {
		return overlay{}, []*problem.Error{p}
	}
	if o == (overlay{}) {
		return o, nil
	}
	if o.ID == "" {
		problems = append(problems, problem.Required("watermark[id]"))
	}
	for _, alone := range []encode.Watermark{
		{Top: o.Top}, {Left: o.Left}, {Bottom: o.Bottom}, {Right: o.Right},
		{Width: o.Width}, {Height: o.Height}, {Opacity: o.Opacity},
	} {
		if field, err := alone.Check(); err != nil {
			problems = append(problems, problem.Attribute("watermark["+field+"]", "%s", err.Error()))
		}
	}
	v.watermark = asJSON(o)
	return o, problems
}

package video

import (
	"cmp"
	"encoding/json"

	"stoa/video/internal/problem"
	"stoa/video/internal/timecode"
)

// clip is the part of the source that a video is made of, as it was asked for. Either
// end may be absent.
type clip struct {
	Start string `json:"startTimecode,omitempty"`
	End   string `json:"endTimecode,omitempty"`
}

// readClip reads the clip of a new video.
func readClip(f fields, v *video) []*problem.Error {
	var c clip
	if p := f.read("clip", &c, "an object with startTimecode and endTimecode"); p != nil {
		return []*problem.Error{p}
	}
	if c == (clip{}) {
		return nil
	}
	v.clip = asJSON(c)
	start, badStart := readTimecode("clip[startTimecode]", c.Start)
	end, badEnd := readTimecode("clip[endTimecode]", c.End)
	if badStart != nil || badEnd != nil {
		return []*problem.Error{badStart, badEnd}
	}
	after := cmp.Or(cmp.Compare(end.Whole, start.Whole), cmp.Compare(end.Frame, start.Frame)) > 0
	if c.End != "" && !after {
		return []*problem.Error{problem.Attribute("clip[endTimecode]", "The clip ends before it begins: give a later end.")}
	}
	return nil
}

// readTimecode reads one end of a clip; "" is the beginning.
func readTimecode(name, text string) (timecode.Timecode, *problem.Error) {
	if text == "" {
		return timecode.Timecode{}, nil
	}
	t, ok := timecode.Parse(text)
	if !ok {
		return t, problem.Attribute(name, timecode.Form)
	}
	return t, nil
}

// asJSON is a value that is kept as text.
func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and lists of them can always be encoded
	}
	return string(text)
}

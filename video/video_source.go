package video

import (
	"stoa/internal/egress"
	"stoa/video/internal/problem"
)

// What a video is made of, in source.kind.
const (
	sourceUpload = "upload"
	sourceURL    = "url"
	sourceCopy   = "copy"
)

// readSource reads where a new video gets its source from: an address, or another
// video, of which the caller sees whether it is there.
func readSource(f fields, v *video) *problem.Error {
	var from string
	if p := f.read("source", &from, wantText); p != nil {
		return p
	}
	if !f.has("source") {
		return nil
	}
	v.source.from, v.source.ingest = from, ingestRunning
	if isID(videoPrefix, from) {
		v.source.kind = sourceCopy
		return nil
	}
	v.source.kind = sourceURL
	if egress.CheckURL(from) != nil {
		return problem.Attribute("source", "Give an address that begins with http:// or https://, or the id of a video.")
	}
	return nil
}

// copied is the id of the video that this one is a copy of, or "".
func (src source) copied() string {
	if src.kind == sourceCopy {
		return src.from
	}
	return ""
}

package video_test

import (
	"slices"
	"strings"
)

// badFields are refused when a video is made and when it is changed.
var badFields = []struct {
	name, field string
	value       any
}{
	{"title", "title", 5},
	{"title", "title", ""},
	{"title", "title", strings.Repeat("ü", 1001)},
	{"title", "title", "a\x00b"},
	{"description", "description", 5},
	{"description", "description", "\x00"},
	{"description", "description", strings.Repeat("x", 100_001)},
	{"public", "public", "yes"},
	{"panoramic", "panoramic", 1},
	{"mp4Support", "mp4Support", "true"},
	{"mp4support", "mp4support", "true"},
	{"playerId", "playerId", 5},
	{"playerId", "playerId", "pl" + strings.Repeat("0", 22)},
	{"playerId", "playerId", "\x00"},
	{"tags", "tags", "a"},
	{"tags", "tags", []int{1}},
	{"tags", "tags", slices.Repeat([]string{"a"}, 101)},
	{"tags[1]", "tags", []string{"a", ""}},
	{"tags[0]", "tags", []any{nil}},
	{"tags[0]", "tags", []string{strings.Repeat("x", 256)}},
	{"tags[0]", "tags", []string{"\x00"}},
	{"metadata", "metadata", object{"a": "b"}},
	{"metadata", "metadata", []any{"a"}},
	{"metadata", "metadata", []object{{"key": "a", "value": 1}}},
	{"metadata", "metadata", slices.Repeat([]object{{"key": "a", "value": "b"}}, 101)},
	{"metadata[0][key]", "metadata", []object{{"value": "b"}}},
	{"metadata[0][key]", "metadata", []any{nil}},
	{"metadata[0][key]", "metadata", []object{{"key": strings.Repeat("x", 256), "value": "b"}}},
	{"metadata[1][value]", "metadata", []object{{"key": "a", "value": "b"}, {"key": "b", "value": "\x00"}}},
	{"metadata[0][value]", "metadata", []object{{"key": "a", "value": strings.Repeat("x", 10_001)}}},
	{"language", "language", "xx"},
	{"language", "language", "en-US"},
	{"language", "language", 1},
	{"transcript", "transcript", "yes"},
	{"transcriptSummary", "transcriptSummary", 0},
	{"transcriptSummaryAttributes", "transcriptSummaryAttributes", []string{"title"}},
	{"transcriptSummaryAttributes", "transcriptSummaryAttributes", "abstract"},
}

// badAtCreation are refused only then: later they are passed over.
var badAtCreation = []struct {
	name, field string
	value       any
}{
	{"clip", "clip", "00:00:01"},
	{"clip", "clip", object{"startTimecode": 1}},
	{"clip[startTimecode]", "clip", object{"startTimecode": "1:2:3"}},
	{"clip[endTimecode]", "clip", object{"endTimecode": "soon"}},
	{"clip[endTimecode]", "clip", object{"startTimecode": "00:00:10", "endTimecode": "10"}},
	{"clip[endTimecode]", "clip", object{"endTimecode": "0"}},
	{"watermark", "watermark", "watermark_x"},
	{"watermark", "watermark", object{"id": "x", "top": 10}},
	{"watermark[id]", "watermark", object{"id": "watermark_" + strings.Repeat("0", 22)}},
	{"source", "source", 5},
	{"source", "source", ""},
	{"source", "source", "film.mp4"},
	{"source", "source", "ftp://example.com/film.mp4"},
	{"source", "source", "https:///film.mp4"},
	{"source", "source", "http://[::1/film.mp4"},
	{"source", "source", "file:///etc/passwd"},
	{"source", "source", "https://example.com/\x00"},
	{"source", "source", "https://example.com/" + strings.Repeat("x", 10_000)},
	{"source", "source", "vi" + strings.Repeat("0", 22)},
}

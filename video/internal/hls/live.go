package hls

import (
	"strconv"
	"time"
)

// Live is what a list says of a track of a broadcast at a moment. Its files are
// addressed beside it by their numbers: head0.mp4, 7.m4s, and 7.0.m4s for a part.
type Live struct {
	Timescale  int64         // units of the track's clock per second
	Target     time.Duration // no segment is longer
	PartTarget time.Duration // no part is longer
	First      int           // number of the first segment
	Breaks     int           // breaks before it that are listed no more
	Segments   []LiveSegment
	Open       []LivePart // of the segment after them
	OpenHead   int        // the head of it; another than that of the last is a break
	Ended      bool       // nothing will follow

	Carry string // what every address ends with
	Skip  bool   // leave out what a player has that asked before
}

// LiveSegment is one of a Live, numbered by its place.
type LiveSegment struct {
	Head     int // number of what players need before it
	Break    bool
	Gap      bool // there is nothing
	Duration int64
	At       time.Time  // when it began
	Parts    []LivePart // nil: not listed
}

// LivePart is a piece of a segment, numbered by its place.
type LivePart struct {
	Duration    int64
	Independent bool
}

// Report is what a list says of another track of the same broadcast.
type Report struct {
	URL     string // of its list
	Segment int    // the newest
	Part    int    // the newest of it; below 0: it has none
}

// skipTargets is how many target durations before the end players may be expected to
// know already.
const skipTargets = 6

// Append appends the list to b.
func (l *Live) Append(b []byte) []byte {
	skipped := l.skipped()
	b = append(b, "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:"...)
	b = strconv.AppendInt(b, int64((l.Target+time.Second-1)/time.Second), 10)
	if !l.Ended {
		b = append(b, "\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK="...)
		b = appendMicros(b, (3 * l.PartTarget).Microseconds())
		b = append(b, ",CAN-SKIP-UNTIL="...)
		b = appendMicros(b, (skipTargets * l.Target).Microseconds())
		b = append(b, "\n#EXT-X-PART-INF:PART-TARGET="...)
		b = appendMicros(b, l.PartTarget.Microseconds())
	}
	b = append(b, "\n#EXT-X-MEDIA-SEQUENCE:"...)
	b = strconv.AppendInt(b, int64(l.First), 10)
	if l.Breaks > 0 {
		b = append(b, "\n#EXT-X-DISCONTINUITY-SEQUENCE:"...)
		b = strconv.AppendInt(b, int64(l.Breaks), 10)
	}
	b = append(b, '\n')
	if skipped > 0 {
		b = append(b, "#EXT-X-SKIP:SKIPPED-SEGMENTS="...)
		b = strconv.AppendInt(b, int64(skipped), 10)
		b = append(b, '\n')
	}
	return l.appendSegments(b, skipped)
}

// skipped is how many segments are left out.
func (l *Live) skipped() int {
	if !l.Skip || l.Ended {
		return 0
	}
	var after int64
	for _, p := range l.Open {
		after += p.Duration
	}
	until := int64(skipTargets*l.Target/time.Second) * l.Timescale
	for n := len(l.Segments) - 1; n >= 0; n-- {
		if after += l.Segments[n].Duration; after > until {
			return n
		}
	}
	return 0
}

func (l *Live) appendSegments(b []byte, skipped int) []byte {
	head := -1
	for i := skipped; i < len(l.Segments); i++ {
		s := &l.Segments[i]
		if s.Break {
			b = append(b, "#EXT-X-DISCONTINUITY\n"...)
		}
		if s.Head != head {
			head = s.Head
			b = l.appendHead(b, head)
		}
		if s.Break || i == skipped {
			b = append(b, "#EXT-X-PROGRAM-DATE-TIME:"...)
			b = s.At.UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z\n")
		}
		if !l.Ended {
			b = l.appendParts(b, l.First+i, s.Parts)
		}
		if s.Gap {
			b = append(b, "#EXT-X-GAP\n"...)
		}
		b = append(b, "#EXTINF:"...)
		b = appendMicros(b, l.micros(s.Duration))
		b = append(b, ",\n"...)
		b = strconv.AppendInt(b, int64(l.First+i), 10)
		b = append(b, ".m4s"...)
		b = append(b, l.Carry...)
		b = append(b, '\n')
	}
	if l.Ended {
		return append(b, "#EXT-X-ENDLIST\n"...)
	}
	open := l.First + len(l.Segments)
	if l.OpenHead != head && len(l.Open) > 0 {
		if head >= 0 {
			b = append(b, "#EXT-X-DISCONTINUITY\n"...)
		}
		b = l.appendHead(b, l.OpenHead)
	}
	b = l.appendParts(b, open, l.Open)
	b = append(b, `#EXT-X-PRELOAD-HINT:TYPE=PART,URI="`...)
	b = l.appendPart(b, open, len(l.Open))
	return append(b, "\"\n"...)
}

func (l *Live) appendHead(b []byte, number int) []byte {
	b = append(b, `#EXT-X-MAP:URI="head`...)
	b = strconv.AppendInt(b, int64(number), 10)
	b = append(b, ".mp4"...)
	b = append(b, l.Carry...)
	return append(b, "\"\n"...)
}

func (l *Live) appendParts(b []byte, segment int, parts []LivePart) []byte {
	for n, p := range parts {
		b = append(b, "#EXT-X-PART:DURATION="...)
		b = appendMicros(b, l.micros(p.Duration))
		b = append(b, `,URI="`...)
		b = l.appendPart(b, segment, n)
		b = append(b, '"')
		if p.Independent {
			b = append(b, ",INDEPENDENT=YES"...)
		}
		b = append(b, '\n')
	}
	return b
}

func (l *Live) appendPart(b []byte, segment, number int) []byte {
	b = strconv.AppendInt(b, int64(segment), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(number), 10)
	b = append(b, ".m4s"...)
	return append(b, l.Carry...)
}

func (l *Live) micros(units int64) int64 {
	clock := max(1, l.Timescale)
	return units/clock*1_000_000 + (units%clock*1_000_000+clock/2)/clock
}

// AppendReports appends what is known of the other tracks to a list that has not ended.
func AppendReports(b []byte, reports []Report) []byte {
	for _, r := range reports {
		b = append(b, "#EXT-X-RENDITION-REPORT:URI="...)
		b = append(b, quoted(r.URL)...)
		b = append(b, ",LAST-MSN="...)
		b = strconv.AppendInt(b, int64(r.Segment), 10)
		if r.Part >= 0 {
			b = append(b, ",LAST-PART="...)
			b = strconv.AppendInt(b, int64(r.Part), 10)
		}
		b = append(b, '\n')
	}
	return b
}

// appendMicros appends a number of seconds with six digits after the point.
func appendMicros(b []byte, micros int64) []byte {
	b = strconv.AppendInt(b, micros/1_000_000, 10)
	b = append(b, '.')
	rest := micros % 1_000_000
	for place := int64(100_000); place > 0; place /= 10 {
		b = append(b, '0'+byte(rest/place%10))
	}
	return b
}

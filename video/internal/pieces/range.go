// Package pieces holds the rules for a source that comes in pieces: what a
// Content-Range may say, which pieces fit together, and when the source is whole.
// It touches no bytes: the caller keeps them, and what [State] remembers.
//
// A piece is looked at twice. Admit judges the header before the body is read;
// Accept judges it once more with the size that came, since others may have
// arrived meanwhile, and remembers it. A piece that broke off was never accepted
// and can be sent again.
package pieces

import (
	"math"
	"regexp"

	"stoa/video/internal/problem"
)

// Form is how a source is cut. The zero value is that of a source of which
// nothing has come yet.
type Form string

const (
	Parts Form = "part"  // by number, from 1
	Bytes Form = "bytes" // by position, from 0
)

// Limits, in bytes but for the last.
const (
	MinPiece  = 5 << 20        // of every piece but the last
	MaxPiece  = 200 << 20      // of every piece, and of a source in one piece
	MaxSource = 30 << 30       // of a source
	maxTotal  = 52_428_800_000 // that a range of bytes may speak of
	maxParts  = 10_000
)

// Range is what a Content-Range says.
type Range struct {
	Form  Form
	Part  int64 // of Parts
	From  int64 // of Bytes
	To    int64 // of Bytes, included
	Total int64 // number of parts, or of bytes
	Open  bool  // the number of parts is not known yet
}

var pattern = regexp.MustCompile(`^(?:part (\d+)/(\d+|\*)|bytes (\d+)-(\d+)/(\d+))$`)

// Parse reads one of "part 2/7", "part 2/*" and "bytes 0-1023/4096". A number too
// large for its type becomes the largest of it, for Admit to refuse.
func Parse(header string) (Range, error) {
	m := pattern.FindStringSubmatch(header)
	if m == nil {
		return Range{}, fail("malformed", "The Content-Range cannot be read.",
			`Write it as "part 2/7", "part 2/*" or "bytes 0-1023/4096".`)
	}
	if m[1] != "" {
		r := Range{Form: Parts, Part: number(m[1]), Open: m[2] == "*"}
		if !r.Open {
			r.Total = number(m[2])
		}
		return r, nil
	}
	return Range{Form: Bytes, From: number(m[3]), To: number(m[4]), Total: number(m[5])}, nil
}

// number reads digits, however many.
func number(digits string) int64 {
	var n int64
	for _, d := range []byte(digits) {
		if n > (math.MaxInt64-9)/10 {
			return math.MaxInt64
		}
		n = n*10 + int64(d-'0')
	}
	return n
}

// start is where the piece stands among the others: Piece.At.
func (r Range) start() int64 {
	if r.Form == Parts {
		return r.Part
	}
	return r.From
}

// fail is a 400 of the family of this package.
func fail(kind, title, detail string, args ...any) *problem.Error {
	return problem.New(400, "video-content-range-"+kind, title).WithName("Content-Range").WithDetail(detail, args...)
}

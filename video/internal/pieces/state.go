package pieces

import (
	"cmp"
	"slices"

	"stoa/video/internal/problem"
)

// State is what has come of a source. The zero value is the beginning.
type State struct {
	Form   Form
	Total  int64   // number of parts, or of bytes; 0 while it is not known
	Pieces []Piece // accepted ones, in any order
}

// Piece is an accepted piece.
type Piece struct {
	At   int64 // number of the part, or position of the first byte
	Size int64 // bytes
}

// Admit tells whether a piece with this header may come, or why not: a 400 of
// the API. What it says can change until the piece has come.
func (s *State) Admit(r Range) error {
	if s.Form != "" && s.Form != r.Form {
		return s.changed()
	}
	if r.Form == Parts {
		return s.admitPart(r)
	}
	return s.admitBytes(r)
}

// AdmitWhole tells whether the source may come in one request without a header.
func (s *State) AdmitWhole() error {
	if s.Form == "" {
		return nil
	}
	return fail("already-initiated", "This upload was begun in pieces.",
		"Send the remaining pieces with a Content-Range, or create another video.")
}

// Accept remembers a piece of size bytes that has come whole, or tells why it
// cannot be used. Then nothing has changed.
func (s *State) Accept(r Range, size int64) error {
	if err := s.Admit(r); err != nil {
		return err
	}
	if err := s.checkSize(r, size); err != nil {
		return err
	}
	s.Form = r.Form
	if !r.Open {
		s.Total = r.Total
	}
	s.Pieces = append(s.Pieces, Piece{At: r.start(), Size: size})
	return nil
}

func (s *State) checkSize(r Range, size int64) error {
	last := r.Form == Parts && r.Part == cmp.Or(r.Total, s.Total)
	switch {
	case r.Form == Bytes && size != r.To-r.From+1:
		return fail("by-bytes-range-mismatch", "The file is not as long as its range says.",
			"The range is of %d bytes, the file of %d: send them alike.", r.To-r.From+1, size)
	case size > MaxPiece:
		return problem.FileTooLarge.WithDetail("Send pieces of at most %d bytes.", MaxPiece)
	case r.Form == Parts && !last && size < MinPiece:
		return fail("by-part-uploaded-file-too-small", "This part is too small.",
			"Every part but the last must have at least %d bytes, this one has %d.", MinPiece, size)
	case last && r.Part == 1 && size == 0:
		return problem.FileEmpty.WithDetail("Send a file that is not empty.")
	case s.received()+size > MaxSource:
		return tooLarge()
	}
	return nil
}

func tooLarge() error {
	return problem.FileTooLarge.WithDetail("A source can have at most %d bytes.", MaxSource)
}

func (s *State) changed() error {
	if s.Form == Parts {
		return fail("started-with-part", "This upload was begun by parts.",
			`Go on with a Content-Range such as "part 2/7".`)
	}
	return fail("started-with-bytes", "This upload was begun by ranges of bytes.",
		`Go on with a Content-Range such as "bytes 0-1023/4096".`)
}

// Complete tells whether every piece is there.
func (s *State) Complete() bool {
	if s.Form == Parts {
		return s.Total > 0 && int64(len(s.Pieces)) == s.Total
	}
	return s.Total > 0 && s.received() == s.Total
}

// Ordered is the pieces in the order in which they make the source.
func (s *State) Ordered() []Piece {
	return slices.SortedFunc(slices.Values(s.Pieces), func(a, b Piece) int { return cmp.Compare(a.At, b.At) })
}

// Size is how long the source is, once that is known.
func (s *State) Size() (size int64, known bool) {
	if s.Form == Bytes {
		return s.Total, true
	}
	return s.received(), s.Complete()
}

func (s *State) received() int64 {
	var sum int64
	for _, p := range s.Pieces {
		sum += p.Size
	}
	return sum
}

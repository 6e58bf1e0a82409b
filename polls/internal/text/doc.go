// Package text brings what people type into the form that is stored, shown and
// compared, and says what is wrong with the rest.
//
// Each kind of text has one function: [Caption], [Choice], [Username], … It
// returns the normal form (NFC, without white space at the ends) or a
// *[Problem]. Lengths are counted in code points of the normal form. Taking the
// normal form again changes nothing.
//
// Text stays text: markup and quotes are not touched here, but escaped by
// whoever writes a page.
package text

import "fmt"

// Kind says what is wrong in one word that programs can read.
type Kind string

const (
	TooShort         Kind = "too_short"
	TooLong          Kind = "too_long"
	InvalidText      Kind = "invalid_text"
	InvalidURL       Kind = "invalid_url"
	ChoicesIdentical Kind = "choices_identical"
)

// Problem is an error that may be shown to whoever sent the text. It does not
// repeat the text.
type Problem struct {
	Kind    Kind
	Message string
}

func (p *Problem) Error() string { return p.Message }

func problem(kind Kind, format string, args ...any) error {
	return &Problem{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

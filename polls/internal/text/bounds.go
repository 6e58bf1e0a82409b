package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bounds is what one kind of free text may be.
type bounds struct {
	noun     string // "caption", as in messages
	min, max int    // code points of the normal form
	lines    bool   // line breaks and tabs stay
}

func (b bounds) normal(s string) (string, error) {
	if err := b.refuse(s); err != nil {
		return "", err
	}
	s = norm.NFC.String(s)
	if b.lines {
		s = oneBreak.Replace(s)
	} else {
		s = strings.Join(strings.FieldsFunc(s, breaksLine), " ")
	}
	s = strings.TrimSpace(s)
	if err := b.measure(s); err != nil {
		return "", err
	}
	return s, nil
}

// refuse looks at the text as it came: a control character is refused at the
// ends too, although some count as white space.
func (b bounds) refuse(s string) error {
	if !utf8.ValidString(s) {
		return problem(InvalidText, "the %s is not valid UTF-8", b.noun)
	}
	for _, r := range s {
		if what := forbidden(r); what != "" {
			return problem(InvalidText, "the %s holds %U, %s; remove it", b.noun, r, what)
		}
	}
	return nil
}

func (b bounds) measure(s string) error {
	n := utf8.RuneCountInString(s)
	switch {
	case n > b.max:
		return problem(TooLong, "the %s has %d characters; at most %d are allowed", b.noun, n, b.max)
	case n == 0 && b.min == 0:
		return nil
	case strings.IndexFunc(s, visible) < 0:
		return problem(TooShort, "the %s has no visible character; write at least one", b.noun)
	case n < b.min:
		return problem(TooShort, "the %s has %d characters; at least %d are needed", b.noun, n, b.min)
	}
	return nil
}

// oneBreak makes one kind of line break of all. Forms send CR LF.
var oneBreak = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

// breaksLine is for tabs and line breaks, of which a run is one space where
// text is a single line.
func breaksLine(r rune) bool {
	switch r {
	case '\t', '\n', '\r', '\u2028', '\u2029':
		return true
	}
	return false
}

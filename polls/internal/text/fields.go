package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

var (
	caption     = bounds{noun: "caption", min: 1, max: 200}
	choice      = bounds{noun: "choice", min: 1, max: 80}
	comment     = bounds{noun: "comment", min: 1, max: 1000, lines: true}
	name        = bounds{noun: "name", max: 80}
	location    = bounds{noun: "location", max: 120}
	about       = bounds{noun: "text about you", max: 500, lines: true}
	socialName  = bounds{noun: "social username", max: 80}
	displayName = bounds{noun: "display name", min: 1, max: 120}
	embedName   = bounds{noun: "embed name", min: 1, max: 120}
)

// Caption is the question of a poll, a single line.
func Caption(s string) (string, error) { return caption.normal(s) }

// Choice is one of the two answers, a single line. See [Distinct].
func Choice(s string) (string, error) { return choice.normal(s) }

// Comment keeps its line breaks, each as \n, and its tabs.
func Comment(s string) (string, error) { return comment.normal(s) }

// Name is how a person wants to be called; may be empty.
func Name(s string) (string, error) { return name.normal(s) }

// Location is where a person is; may be empty.
func Location(s string) (string, error) { return location.normal(s) }

// About is what a person tells; may be empty, and have several lines.
func About(s string) (string, error) { return about.normal(s) }

// SocialUsername is a name at another service, whose rules are not known here;
// may be empty.
func SocialUsername(s string) (string, error) { return socialName.normal(s) }

// DisplayName is the name of a publisher or a poll set for people.
func DisplayName(s string) (string, error) { return displayName.normal(s) }

// EmbedName tells the embeds of one target apart.
func EmbedName(s string) (string, error) { return embedName.normal(s) }

// Distinct tells whether two choices in normal form differ by more than case.
func Distinct(first, second string) error {
	if Fold(first) == Fold(second) {
		return problem(ChoicesIdentical, "the two choices are the same; make one of them different")
	}
	return nil
}

// Fold is the form in which texts are compared without case: usernames, e-mail
// addresses, publisher names, choices. It takes any bytes.
func Fold(s string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(s)))
}

// LoginName is the form in which an account is looked for by what somebody types: all
// that lead to one account are equal.
func LoginName(s string) string { return Fold(strings.TrimSpace(s)) }

const (
	passwordMin = 8
	passwordMax = 128
)

// Password checks the length. Nothing is trimmed, and forbidden is only what no client
// can send; the normal form makes keyboards agree that write é as one character or two.
func Password(s string) (string, error) {
	if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
		return "", problem(InvalidText, "the password must be UTF-8 without a zero byte")
	}
	s = norm.NFC.String(s)
	switch n := utf8.RuneCountInString(s); {
	case n < passwordMin:
		return "", problem(TooShort, "the password has %d characters; at least %d are needed", n, passwordMin)
	case n > passwordMax:
		return "", problem(TooLong, "the password has %d characters; at most %d are allowed", n, passwordMax)
	}
	return s, nil
}

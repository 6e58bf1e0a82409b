package text

import (
	"net/mail"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// emailMax is in bytes, as mail servers count.
const emailMax = 254

var email = bounds{noun: "e-mail address"}

// Email keeps its case; compare and look up by [Fold]. It is a bare address:
// no display name, no comment, no quotes.
func Email(s string) (string, error) {
	if err := email.refuse(s); err != nil {
		return "", err
	}
	s = strings.TrimSpace(norm.NFC.String(s))
	if s == "" {
		return "", problem(TooShort, "the e-mail address is empty")
	}
	if len(s) > emailMax {
		return "", problem(TooLong, "the e-mail address has %d bytes; at most %d are allowed", len(s), emailMax)
	}
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || strings.Count(s, "@") != 1 || strings.ContainsFunc(s, unseen) {
		return "", problem(InvalidText, "the e-mail address is not of the form name@example.com")
	}
	return s, nil
}

var website = bounds{noun: "website", max: 2048}

// Website is an absolute http or https address, kept as typed; may be empty.
// One with a user in it is refused: what stands before the @ reads like the
// host.
func Website(s string) (string, error) {
	s, err := website.normal(s)
	if err != nil || s == "" {
		return "", err
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsFunc(s, unseen) {
		return "", problem(InvalidURL, "the website is not an address that begins with http:// or https:// and names a host")
	}
	return s, nil
}

// unseen is for characters that no address has, and that would let two
// addresses look the same.
func unseen(r rune) bool { return unicode.IsSpace(r) || ignorable(r) }

package polls

import "net/url"

// noticeParam is how a page that a form led to knows what was done. It names one of
// our own sentences, so that nobody can put words into the mouth of a page.
const noticeParam = "done"

var notices = map[string]string{
	"joined":     "Welcome! Your account is ready.",
	"mailed":     "Welcome! Follow the link in the mail that we sent you, to make polls and to comment.",
	"profile":    "Your profile is saved.",
	"email":      "Your e-mail address is changed.",
	"confirm":    "We sent you a mail. Follow its link to confirm your address.",
	"password":   "Your password is changed. All other devices are signed out.",
	"everywhere": "You are signed out everywhere.",
	"deleted":    "The poll is deleted.",
	"comment":    "The comment is deleted.",
	"set":        "The poll set is saved.",
	"set_gone":   "The poll set is deleted.",
	"embed":      "The embed is ready. Its code is below.",
	"placement":  "The placement shows it now.",
	"team":       "The team is changed.",
	"confirmed":  "Your e-mail address is confirmed. Thank you!",
	"bad_link":   "That link is not good any more. Enter your e-mail address again to get another.",
}

// withNotice is a path that also says what was done.
func withNotice(path, notice string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	query := u.Query()
	query.Set(noticeParam, notice)
	u.RawQuery = query.Encode()
	return u.String()
}

// withoutNotice is the address of a page, for coming back to it.
func withoutNotice(u *url.URL) string {
	query := u.Query()
	if !query.Has(noticeParam) {
		return u.RequestURI()
	}
	query.Del(noticeParam)
	bare := *u
	bare.RawQuery = query.Encode()
	return bare.RequestURI()
}

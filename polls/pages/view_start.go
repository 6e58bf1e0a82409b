package pages

import "net/url"

// Start is the front page for those who are not logged in: what this is, a video if
// there is one, the newest polls.
type Start struct {
	Common
	Polls     []Poll
	More      string      // as in Feed
	Video     *StartVideo // nil: there is none to show
	VideoDocs string      // address of the description of the video API; empty: not served here
}

// StartVideo is shown in a frame.
type StartVideo struct{ Title, Player string }

func (Start) template() string { return "start" }

// frame is the origin of the frame, which the policy must allow; empty: none.
func (s Start) frame() string {
	if s.Video == nil {
		return ""
	}
	u, err := url.Parse(s.Video.Player)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}

// policy is the Content-Security-Policy of a page.
func policy(v View) string {
	if framing, ok := v.(interface{ frame() string }); ok && framing.frame() != "" {
		return Policy + "; frame-src " + framing.frame()
	}
	return Policy
}

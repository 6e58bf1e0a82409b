package analytics

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stoa/video/internal/problem"
)

const (
	maxBody     = 64 << 10
	maxEvents   = 500 // of a batch; players send 20
	maxID       = 64
	maxReferrer = 2048
)

// watchBody is a batch of the second version, as it is sent.
type watchBody struct {
	SentAt   *float64 `json:"sat"`
	Session  string   `json:"sid"`
	Media    string   `json:"mid"`
	Playback string   `json:"pid"`
	Referrer string   `json:"ref"`
	Events   []struct {
		EmittedAt float64 `json:"eat"`
		Kind      float64 `json:"typ"`
		Position  float64 `json:"vti"`
		Paused    bool    `json:"pau"`
	} `json:"eve"`
}

// parseWatch reads a batch of the second version. An event that nobody can have
// meant is left out; a batch without its ids is an error.
func parseWatch(body []byte, received time.Time) (batch, error) {
	var in watchBody
	if json.Unmarshal(body, &in) != nil {
		return batch{}, errPayload
	}
	b := batch{media: in.Media, playback: in.Playback, session: in.Session, referrer: cleanReferrer(in.Referrer)}
	var sent int64
	switch {
	case in.SentAt == nil:
		return b, problem.Required("sat")
	case !isClock(*in.SentAt):
		return b, problem.Attribute("sat", "This must be a time in milliseconds.")
	case !isID(b.media):
		return b, errID("mid")
	case !isID(b.playback):
		return b, errID("pid")
	case !isID(b.session):
		return b, errID("sid")
	case len(in.Events) > maxEvents:
		return b, problem.Attribute("eve", "At most %d events are taken at once.", maxEvents)
	}
	sent = int64(*in.SentAt)
	for _, e := range in.Events {
		position, ok := milliseconds(e.Position)
		if !ok || !isClock(e.EmittedAt) || !isKind(e.Kind) {
			continue
		}
		b.events = append(b.events, event{emitted: int64(e.EmittedAt), kind: kind(e.Kind), position: position, paused: e.Paused})
	}
	slices.SortFunc(b.events, compare)
	place(b.events, sent, received)
	return b, nil
}

var errPayload = problem.New(400, "invalid-payload", "The body of the request is not what is expected here.").
	WithDetail("Send a JSON object of at most %d bytes.", maxBody)

func errID(name string) error {
	return problem.Attribute(name, "This must be an id of at most %d letters, digits, - and _.", maxID)
}

func isID(text string) bool {
	other := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}
	return text != "" && len(text) <= maxID && strings.IndexFunc(text, other) < 0
}

func isClock(ms float64) bool { return ms > 0 && ms < maxClock }

func isKind(number float64) bool {
	return number == math.Trunc(number) && number >= float64(loaded) && number <= float64(source)
}

// cleanReferrer takes out what a database or a page could stumble over.
func cleanReferrer(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	if len(text) <= maxReferrer {
		return text
	}
	n := maxReferrer
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

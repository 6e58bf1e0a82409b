package polls

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"stoa/polls/internal/credential"
	"stoa/polls/internal/text"
)

// encoder writes what the API shows. It knows where the service is reached.
type encoder struct {
	origin    string
	pseudonym func(poll int64, voter credential.Voter) string
	pollKey   func(poll int64) string // opens a private poll
}

// timestamp is how the API writes a moment.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// pollURL is the address of a poll's page. Creators get the key of a private one.
func (e encoder) pollURL(p *poll, toCreator bool) string {
	url := e.shortURL(p, false)
	if slug := text.Slug(p.caption); slug != "" {
		url += "-" + slug
	}
	return url + e.keyQuery(p, toCreator)
}

func (e encoder) shortURL(p *poll, toCreator bool) string {
	return e.origin + "/" + strconv.FormatInt(p.id, 10) + e.keyQuery(p, toCreator)
}

func (e encoder) keyQuery(p *poll, toCreator bool) string {
	if !p.private || !toCreator {
		return ""
	}
	return "?k=" + e.pollKey(p.id)
}

// portrait is the address of somebody's picture; 0 is somebody without an account.
func (e encoder) portrait(user int64, size int) string {
	who := "anonymous"
	if user != 0 {
		who = strconv.FormatInt(user, 10)
	}
	return fmt.Sprintf("%s/portraits/%s-%d.png", e.origin, who, size)
}

const (
	smallPortrait = 64
	largePortrait = 256
)

// must marshals what consists of texts and numbers, and cannot fail.
func must(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

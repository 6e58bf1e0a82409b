package video

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"stoa/video/internal/problem"
)

// Bounds of where a live stream is sent on to.
const (
	maxRestreams  = 5
	maxServerURL  = 2048 // bytes
	maxForeignKey = 2048 // characters; some services sign theirs
)

// readLiveStream reads what can be said of a live stream when it is made and later on.
// A field that is absent changes nothing; null unsets what can be without a value. Old
// programs send `record`: every broadcast is recorded anyhow.
func readLiveStream(f fields, l *liveStream) []*problem.Error {
	problems := []*problem.Error{
		f.given("name", &l.name, wantText),
		f.given("public", &l.public, wantBool),
		f.unset("playerId", &l.playerID),
	}
	if f.has("name") && problems[0] == nil {
		problems = append(problems, checkText("name", l.name, 1, maxTitle)) // it becomes the title of recordings
	}
	return append(problems, readRestreams(f, l)...)
}

// readRestreams replaces the whole list by that of a body.
func readRestreams(f fields, l *liveStream) (problems []*problem.Error) {
	if !f.has("restreams") {
		return nil
	}
	var given []fields
	if p := f.read("restreams", &given, "a list of objects with a name, a serverUrl and a streamKey"); p != nil {
		return []*problem.Error{p}
	}
	if len(given) > maxRestreams {
		return []*problem.Error{problem.Attribute("restreams", "There are %d restreams: give at most %d.", len(given), maxRestreams)}
	}
	l.restreams = make([]restream, len(given))
	for i, one := range given {
		problems = append(problems, l.restreams[i].read(one, fmt.Sprintf("restreams[%d]", i))...)
	}
	return problems
}

// read takes the fields of one restream, all of which it must have. place is where it
// stands in the body.
func (r *restream) read(f fields, place string) (problems []*problem.Error) {
	for _, field := range []struct {
		name  string
		value *string
		check func(name, s string) *problem.Error
	}{
		{"name", &r.Name, func(name, s string) *problem.Error { return checkText(name, s, 1, maxTitle) }},
		{"serverUrl", &r.ServerURL, checkServerURL},
		{"streamKey", &r.StreamKey, func(name, s string) *problem.Error { return checkText(name, s, 1, maxForeignKey) }},
	} {
		name := place + "[" + field.name + "]"
		if f.has(field.name) && json.Unmarshal(f[field.name], field.value) != nil {
			problems = append(problems, problem.Attribute(name, "This value should be %s.", wantText))
		} else if strings.TrimSpace(*field.value) == "" {
			problems = append(problems, problem.Attribute(name, "This value should not be blank."))
		} else {
			problems = append(problems, field.check(name, *field.value))
		}
	}
	return problems
}

// checkServerURL tells what is wrong with the address of an RTMP server. Whether it can
// be reached is seen when somebody publishes.
func checkServerURL(name, text string) *problem.Error {
	u, err := url.Parse(text)
	switch {
	case len(text) > maxServerURL:
		return problem.Attribute(name, "This address is too long: give at most %d bytes.", maxServerURL)
	case err != nil || u.Scheme != "rtmp" && u.Scheme != "rtmps" || u.Hostname() == "":
		return problem.Attribute(name, "Give an address that begins with rtmp:// or rtmps://, such as rtmp://live.example.com/app.")
	case strings.Trim(u.Path, "/") == "":
		return problem.Attribute(name, "This address has no application name: give it behind the host, such as rtmp://live.example.com/app.")
	}
	return nil
}

package polls

import (
	"time"

	"stoa/polls/internal/credential"
)

// pollState is how far a poll has come.
type pollState int

const (
	pollWithoutImage pollState = iota
	pollReady
	pollDeleted
	pollHidden // was ready, until an operator hid it
)

// pollHead is what decides who may do what with a poll, and how it stands.
type pollHead struct {
	id, version, creator int64
	state                pollState
	private              bool
	tally                tally
}

// visibleTo tells whether an account (0: none), perhaps with the key of a private
// poll, may see it. What it may not see does not exist for it.
func (p *pollHead) visibleTo(user int64, hasKey bool) bool {
	switch {
	case p.state == pollDeleted:
		return false
	case user != 0 && user == p.creator:
		return true
	case p.state == pollWithoutImage, p.state == pollHidden:
		return false
	}
	return !p.private || hasKey
}

// raised is how the poll stands, for those who watch it.
func (p *pollHead) raised() raised {
	return raised{poll: p.id, version: p.version, tally: p.tally, gone: p.state == pollDeleted || p.state == pollHidden}
}

// public is listed, and seen by everybody.
func (p *pollHead) public() bool { return p.state == pollReady && !p.private }

// poll is a poll with everything that its page shows.
type poll struct {
	pollHead
	caption       string
	choice        [2]string
	favoriteCount int64
	commentCount  int64
	created       time.Time
	by            person
	imageID       int64
	image         image
	sources       [2]imageSource
	recent        []recentVote // newest first
	comments      []comment    // the newest, oldest of them first
}

// person is how an account appears beside what it made.
type person struct {
	id             int64
	username, name string
}

// image is the thumbnails of a ready poll. Its name is the unguessable part of
// their addresses.
type image struct {
	name, contentType string
	medium, large     size
}

type size struct{ width, height int }

// imageSource says where an image was found. It is shown and never fetched.
type imageSource struct {
	fullURL, contextURL string
	publicDomain        *bool // nil: not told
}

// recentVote is a standing vote as others see it.
type recentVote struct {
	id      int64
	voter   credential.Voter
	by      *person // nil: somebody without an account
	choice  int
	changed time.Time
}

// comment is what an account said about a poll.
type comment struct {
	id      int64
	body    string
	created time.Time
	by      person
}

// file is the name of a thumbnail, in its address and in the store.
func (i image) file(size string) string {
	extension := ".jpg"
	if i.contentType == "image/png" {
		extension = ".png"
	}
	return i.name + "-" + size + extension
}

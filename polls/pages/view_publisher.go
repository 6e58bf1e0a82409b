package pages

import "time"

// NewPublisher posts name and display_name to /publishers/new.
type NewPublisher struct {
	Common
	Name, DisplayName string
	Errors            Errors
}

// Publisher is the team's area. Its forms post to /publishers/:name with an
// action: add_member (username), remove_member (username); create_embed
// (embed_name) and set_placement (placement), both with target=poll, set or tag
// and, by it, poll (an id or an address), poll_set_id or tag.
type Publisher struct {
	Common
	PublisherName
	Owner           bool // the viewer may change the team
	Team            []Member
	Sets            []SetLine
	Embeds          []Embed
	Placements      []Placement
	Member          string // username typed, when it was refused
	Embed           TargetForm
	Placement       TargetForm
	TeamErrors      Errors // username
	EmbedErrors     Errors // embed_name, target, poll, poll_set_id, tag
	PlacementErrors Errors // placement, and as above
}

// Member is somebody of the team.
type Member struct {
	Person
	Owner bool
}

// SetLine is a poll set in a list.
type SetLine struct {
	ID                int64
	Name, DisplayName string
	Polls             int
	Updated           time.Time
}

// Embed is a named place on another site, with what to paste there.
type Embed struct {
	Name           string
	Target         string // as a person reads it: "Poll: Tabs or spaces?"
	Preview        string // address of the embed page
	Script, Iframe string // HTML to copy
}

// Placement is a named slot and what it shows now.
type Placement struct {
	Name, Target   string
	Preview        string
	Script, Iframe string
}

// TargetForm is what was typed into a form that picks a poll, a set or a tag.
type TargetForm struct {
	Name      string
	Target    string // poll, set, tag; empty is poll
	Poll, Tag string
	PollSetID int64
}

// PollSet makes or changes a poll set. It posts to its own address: name,
// display_name, poll_id once per poll in order, add (ids or addresses), and the
// button that was pressed: save, add_polls, move_up=ID, move_down=ID, remove=ID,
// add_own=ID, delete_set. All but save and delete_set only show the form again,
// changed; with script they never reach the server.
type PollSet struct {
	Common
	Publisher         PublisherName
	ID                int64 // 0: a new one
	Name, DisplayName string
	Polls             []SetPoll // in order
	Own               []SetPoll // polls of the viewer to add from, newest first
	Add               string    // typed, when it was refused
	Errors            Errors    // name, display_name, poll_ids, add
}

// SetPoll is a poll in a poll set.
type SetPoll struct {
	ID      int64
	Caption string
	Image   string // URL of the medium picture; may be empty
}

// Statistics is what a publisher's embeds have reached.
type Statistics struct {
	Common
	PublisherName
	Views, Viewers, Votes, Voters int64
	TimeVoting                    int64 // seconds
	Embeds                        []EmbedNumbers
}

// EmbedNumbers are the numbers of one embed, as the API gives them.
type EmbedNumbers struct {
	Name, Target                  string // Target as in Embed
	Views, Viewers, Votes, Voters int64
	PercentVoters                 float64
	VotesPerVoter                 float64
	SecondsPerVoter               float64
	TimeVoting                    int64     // seconds
	FirstVote, LastVote           time.Time // zero: none
}

// MaxViews is the most views of one embed: the longest bar.
func (s Statistics) MaxViews() int64 {
	var most int64
	for _, e := range s.Embeds {
		most = max(most, e.Views)
	}
	return most
}

func (NewPublisher) template() string { return "publisher_new" }
func (Publisher) template() string    { return "publisher" }
func (PollSet) template() string      { return "poll_set" }
func (Statistics) template() string   { return "statistics" }

package pages

import "time"

// Feed is the front page: recent polls.
type Feed struct {
	Common
	Polls []Poll
	Tag   string // only polls with this tag; empty: all
	More  string // address of the next set, "/?before_poll_id=805"; empty: the end
}

// PollPage is a poll's own page. Its forms post to Poll.Path with an action:
// vote (option=1|2), remove, favorite, unfavorite, comment (body),
// delete_comment (comment_id), delete. A GET with results=1 asks for Poll.Shown.
type PollPage struct {
	Common
	Poll
	ShortURL      string
	Tags          []string
	Sources       []Source // where the pictures come from
	Favorites     int64
	Favorite      bool // the viewer's
	CanDelete     bool
	RecentVotes   []Vote    // newest first
	CommentList   []Comment // oldest first
	OlderComments string    // address that shows older ones; empty: these are all
	CommentBody   string    // what was typed, when it was refused
	Errors        Errors    // body, option
}

// Source tells where a picture was found.
type Source struct {
	FullURL, ContextURL string // http or https; may be empty
	PublicDomain        bool
}

// Vote is somebody's vote in the list of recent ones.
type Vote struct {
	Person // Username empty: somebody without account
	Choice int
	Date   time.Time
}

// Comment is a comment below a poll.
type Comment struct {
	ID int64
	Person
	Body      string
	Date      time.Time
	CanDelete bool // by the viewer: its author, the poll's creator, an operator
}

// Profile is a person and their polls. Its form posts to /users/:username with
// action follow or unfollow.
type Profile struct {
	Common
	Person
	LargePhoto        string
	Location, Website string
	About             string
	PollsCreated      int64
	VotesReceived     int64
	FollowedBy        int64
	Following         int64
	Follows           bool // the viewer follows this person
	Self              bool // the viewer is this person
	Polls             []Poll
	More              string // address of the next page; empty: the end
}

// NewPoll is the form that makes a poll. Without script it posts multipart to
// /new: caption, choice1, choice2, tags, private (1), picture (a file), and for
// the sources first_image_context_url, first_public_domain and their second_.
type NewPoll struct {
	Common
	Caption, Choice1, Choice2 string
	Tags                      string // as typed
	Private                   bool
	Sources                   [2]SourceForm // of the first and the second picture
	Errors                    Errors        // caption, choice1, choice2, tags, picture, first_image_context_url, second_image_context_url
}

// SourceForm is what was typed about where a picture comes from.
type SourceForm struct {
	ContextURL   string
	PublicDomain bool
}

func (Feed) template() string     { return "feed" }
func (PollPage) template() string { return "poll" }
func (Profile) template() string  { return "profile" }
func (NewPoll) template() string  { return "new" }

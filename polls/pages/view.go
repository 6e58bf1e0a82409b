package pages

import (
	"html/template"
	"time"
)

// View is one page, ready to be shown: one of the structs of this package.
type View interface{ template() string }

// Common is what every page shows around its own matter.
type Common struct {
	Viewer *Viewer // nil: somebody without account
	Voter  bool    // the browser has a cookie by which it votes, with or without account
	Notice string  // told once above the page, as after a form: "Your profile is saved."
	Here   string  // where this page is, "/815-tabs-or-spaces": logging in leads back to it
}

// Viewer is the account that looks at a page.
type Viewer struct {
	Person
	Publisher *PublisherName // the team it belongs to; nil: none
	Confirmed bool           // false: may vote, but neither comment nor make polls
	Console   string         // where operators work; empty: not for this one
}

// Person is an account as others see it.
type Person struct {
	Username string
	Name     string // as they call themselves; may be empty
	Photo    string // URL of the small portrait; empty: the default one
}

// Called is the name to show.
func (p Person) Called() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Username
}

// PublisherName is a publisher in a link.
type PublisherName struct{ Name, DisplayName string }

// Errors says what is wrong with a form, by the name of the field. The empty
// name is for what concerns no single field.
type Errors map[string]string

// NotFound is the page for an address that leads nowhere.
type NotFound struct{ Common }

// Message is a page that says one thing: an error, a mail on its way.
type Message struct {
	Common
	Title, Text        string
	LinkText, LinkPath string // what to do next; empty: to the front page
}

// Document is a page of text in the frame of the site.
type Document struct {
	Common
	Title string
	HTML  template.HTML // trusted: rendered by the program from its own texts
	More  []Link        // pages of the same kind
}

// Link leads to a page elsewhere.
type Link struct{ Name, Address string }

// Poll is a poll as cards and its own page show it.
type Poll struct {
	ID       int64
	Path     string // its page, "/815-tabs-or-spaces", with "?k=…" for a private poll
	URL      string // the same with the origin, for sharing
	Key      string // of a private poll; empty for others
	Caption  string
	Created  time.Time
	Private  bool
	Hidden   bool // by an operator: only its creator sees it
	Creator  Person
	Choices  [2]Choice
	Image    *Image // nil: not ready
	UserVote int    // 1 or 2; 0: the viewer has no vote here
	Shown    bool   // results are shown although there is no vote of the viewer
	Votes    int64
	Comments int64
	Large    bool // show the large picture: the poll's own page
}

// Choice is one of the two, with its standing.
type Choice struct {
	Name    string
	Votes   int64
	Percent int // whole percent by the rule of the API
	Winning bool
}

// Image is the picture of a poll.
type Image struct {
	URL, LargeURL string // absolute: medium (640 px) and large (1280 px)
	Width, Height int    // of the medium one, so that nothing jumps; 0: not known
}

func (NotFound) template() string { return "notfound" }
func (Message) template() string  { return "message" }
func (Document) template() string { return "document" }

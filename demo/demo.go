// Package demo fills a running server with examples: people, polls with pictures, votes,
// a publisher, videos, a rule file and a cluster document.
//
// It asks the server through its public APIs, as anybody could. Only accounts and the
// API key come from the operator's commands, since those alone can make them on any
// server. It may be run again at any time: each part looks for what it made, by name,
// caption or metadata, and makes what is missing. What others made stays as it is.
package demo

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// Options is what a Demo works with.
type Options struct {
	Polls, Video string       // origins of the server
	Client       *http.Client // reaches them
	Folder       string       // where demo.json and the sample files are kept
	Rules        string       // folder of the rate limit rules; "": they are not read from files
	Operator     Operator
	Size         Size
	Tell         func(part string, done, total int) // how far a part is
}

// Operator is what only the operator of a server can do.
type Operator struct {
	Account func(ctx context.Context, a Account) error
	Key     func(ctx context.Context, name string) (string, error) // makes an API key
}

// Account is one to be made.
type Account struct {
	Username, Email, Password string
	Operator                  bool
}

// Size is how much is made. Tests make little.
type Size struct {
	Polls, Voters, Films int
	Seconds              int // the longest film
}

// Full is everything there is.
func Full() Size { return Size{Polls: len(questions), Voters: 40, Films: len(films), Seconds: 40} }

// Demo fills one environment of a server.
type Demo struct {
	Options
	notes  *notes
	polls  pollsAPI
	video  videoAPI
	people map[string]pollsAPI // by username, as each of them
	asked  []askedPoll         // in the order of questions
	films  []filmed
	made   Made
}

// Made is what is there after a run.
type Made struct {
	Address     string   `json:"address"`
	Username    string   `json:"username"`
	Credentials string   `json:"credentials"` // the file that has the password and the API key
	Accounts    []string `json:"accounts"`
	Polls       []Link   `json:"polls"`
	Votes       int64    `json:"votes"`
	Publisher   string   `json:"publisher"`
	EmbedPage   string   `json:"embedPage"`
	Videos      []Link   `json:"videos"`
	UploadToken string   `json:"uploadToken"`
	Rules       string   `json:"rules,omitempty"`
	Cluster     string   `json:"cluster"`

	Password string `json:"-"` // only the first time
}

// Link is something to look at.
type Link struct {
	Title string `json:"title"`
	URL   string `json:"url"`
}

// Fill makes what is not there yet.
func Fill(ctx context.Context, o Options) (Made, error) {
	d, err := open(ctx, o)
	if err != nil {
		return Made{}, err
	}
	for _, part := range []struct {
		name string
		fill func(context.Context, *step) error
	}{
		{"accounts", d.fillAccounts},
		{"polls", d.fillPolls},
		{"publisher", d.fillPublisher},
		{"films", d.fillFilms},
		{"talk", d.fillTalk},
		{"votes", d.fillVotes},
		{"files", d.fillFiles},
		{"encoding", d.awaitFilms},
	} {
		if err := part.fill(ctx, &step{name: part.name, tell: d.Tell}); err != nil {
			return Made{}, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return d.made, nil
}

// open reads the notes. It makes nothing before both rooms have answered.
func open(ctx context.Context, o Options) (*Demo, error) {
	d := &Demo{Options: o, people: map[string]pollsAPI{}}
	d.polls = pollsAPI{caller{client: o.Client, origin: o.Polls}}
	d.video = videoAPI{caller{client: o.Client, origin: o.Video}}
	for _, room := range []caller{d.polls.caller, d.video.caller} {
		if err := room.call(ctx, http.MethodGet, "/healthz", nil, nil); err != nil {
			return nil, fmt.Errorf("nobody answers at %s: start the server with \"stoa serve\" in another terminal, then run this again (%w)", room.origin, err)
		}
	}
	if err := os.MkdirAll(filepath.Join(o.Folder, "demo"), 0o755); err != nil {
		return nil, err
	}
	var err error
	if d.notes, err = openNotes(filepath.Join(o.Folder, "demo.json")); err != nil {
		return nil, err
	}
	d.made = Made{Address: o.Polls, Username: operator, Credentials: d.notes.path}
	return d, nil
}

// step tells how far a part is.
type step struct {
	name        string
	tell        func(part string, done, total int)
	done, total int
}

func (s *step) begin(total int) {
	s.total = total
	s.tell(s.name, 0, total)
}

func (s *step) next() {
	s.done++
	s.tell(s.name, s.done, s.total)
}

package console

import (
	"net/http"
	"time"

	"stoa/polls"
)

type publisherPage struct {
	Publishers []publisherRecord `json:"publishers"`
	Next       *int64            `json:"next"`
}

type publisherRecord struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"displayName"`
	CreatedAt   time.Time `json:"createdAt"`
	Members     int64     `json:"members"`
	Sets        int64     `json:"sets"`
	Embeds      int64     `json:"embeds"`
	Viewers     int64     `json:"viewers"`
}

func (c *Console) listPublishers(call *call) error {
	before, err := numberIn(call.r.URL.Query(), "before", 0)
	if err != nil {
		return err
	}
	found, err := c.Polls.Publishers(call.r.Context(), before, defaultFound+1)
	if err != nil {
		return err
	}
	page := publisherPage{Publishers: []publisherRecord{}}
	for _, p := range found[:min(len(found), defaultFound)] {
		page.Publishers = append(page.Publishers, publisherRecord{p.ID, p.Name, p.DisplayName, p.Created, p.Members, p.Sets, p.Embeds, p.Viewers})
	}
	if len(found) > defaultFound {
		page.Next = &found[defaultFound-1].ID
	}
	return call.answer(page)
}

// postPublisher makes a publisher for an account.
func (c *Console) postPublisher(call *call) error {
	var body struct{ Name, DisplayName, Owner string }
	if err := call.read(&body); err != nil {
		return err
	}
	p, err := c.Polls.CreatePublisher(call.r.Context(), body.Name, body.DisplayName, body.Owner)
	if err != nil {
		return err
	}
	return writeJSON(call.w, http.StatusCreated, publisher{p.ID, p.Name, p.DisplayName})
}

type publisher struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

type publisherDetails struct {
	publisher
	Members []member         `json:"members"`
	Sets    []pollSet        `json:"sets"`
	Embeds  []publisherEmbed `json:"embeds"`
	Reach   embedReach       `json:"reach"`
}

type member struct {
	author
	Owner bool `json:"owner"`
}

type pollSet struct {
	ID          int64     `json:"id"`
	Name        string    `json:"name"`
	DisplayName string    `json:"displayName"`
	Polls       []int64   `json:"polls"`
	UpdatedAt   time.Time `json:"updatedAt"`
}

type publisherEmbed struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"`   // poll, set or tag
	Target int64  `json:"target"` // its number
	Title  string `json:"title"`  // "": it is not there any more
	embedReach
}

// embedReach is what was seen and done through embeds.
type embedReach struct {
	Views   int64 `json:"views"`
	Viewers int64 `json:"viewers"`
	Votes   int64 `json:"votes"`
	Voters  int64 `json:"voters"`
}

func reachOf(n polls.EmbedNumbers) embedReach {
	return embedReach{n.Views, n.Viewers, n.Votes, n.Voters}
}

// getPublisher is a publisher with all that it has.
func (c *Console) getPublisher(call *call) error {
	ctx, name := call.r.Context(), call.r.PathValue("name")
	statistics, err := c.Polls.Statistics(ctx, name)
	if err != nil {
		return err
	}
	p := statistics.Publisher
	answer := publisherDetails{
		publisher: publisher{p.ID, p.Name, p.DisplayName}, Members: []member{}, Sets: []pollSet{}, Embeds: []publisherEmbed{},
		Reach: reachOf(statistics.Total),
	}
	team, err := c.Polls.Team(ctx, name)
	if err != nil {
		return err
	}
	for _, m := range team {
		answer.Members = append(answer.Members, member{author{m.UserID, m.Username, m.Name}, m.Owner})
	}
	sets, err := c.Polls.PollSets(ctx, name)
	if err != nil {
		return err
	}
	for _, s := range sets {
		answer.Sets = append(answer.Sets, pollSet{s.ID, s.Name, s.DisplayName, s.Polls, s.Updated})
	}
	for _, e := range statistics.Embeds {
		answer.Embeds = append(answer.Embeds, publisherEmbed{e.Name, string(e.Target.Kind), e.Target.ID, e.Target.Title, reachOf(e.EmbedNumbers)})
	}
	return call.answer(answer)
}

// postMember takes an account into the team.
func (c *Console) postMember(call *call) error {
	var body struct{ Username string }
	if err := call.read(&body); err != nil {
		return err
	}
	if err := c.Polls.AddMember(call.r.Context(), call.r.PathValue("name"), body.Username); err != nil {
		return err
	}
	return call.done()
}

// deleteMember takes an account out of the team.
func (c *Console) deleteMember(call *call) error {
	if err := c.Polls.RemoveMember(call.r.Context(), call.r.PathValue("name"), call.r.PathValue("username")); err != nil {
		return err
	}
	return call.done()
}

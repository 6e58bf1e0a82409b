package console

import (
	"time"

	"stoa/polls"
)

// pollRecord is a poll as the API shows it.
type pollRecord struct {
	ID        int64           `json:"id"`
	State     polls.PollState `json:"state"`
	Private   bool            `json:"private"`
	URL       string          `json:"url"`
	Caption   string          `json:"caption"`
	Choices   []pollChoice    `json:"choices"`
	Votes     int64           `json:"votes"`
	Favorites int64           `json:"favorites"`
	Comments  int64           `json:"comments"`
	Creator   author          `json:"creator"`
	Picture   bool            `json:"picture"`
	CreatedAt time.Time       `json:"createdAt"`
	ReadyAt   *time.Time      `json:"readyAt"`
	HiddenAt  *time.Time      `json:"hiddenAt"`
	HiddenBy  string          `json:"hiddenBy"`
	DeletedAt *time.Time      `json:"deletedAt"`
}

type pollChoice struct {
	Name  string `json:"name"`
	Votes int64  `json:"votes"`
}

// author is an account; one that is deleted has no names.
type author struct {
	ID       int64  `json:"id"`
	Username string `json:"username"`
	Name     string `json:"name"`
}

func pollRecordOf(p polls.PollRecord) pollRecord {
	r := pollRecord{
		ID: p.ID, State: p.State, Private: p.Private, URL: p.URL, Caption: p.Caption, Choices: []pollChoice{},
		Votes: p.Votes[0] + p.Votes[1], Favorites: p.Favorites, Comments: p.Comments, Creator: author(p.Creator), Picture: p.Picture,
		CreatedAt: p.Created, ReadyAt: moment(p.Ready), HiddenAt: moment(p.Hidden), HiddenBy: p.HiddenBy, DeletedAt: moment(p.Deleted),
	}
	for i, name := range p.Choices {
		r.Choices = append(r.Choices, pollChoice{name, p.Votes[i]})
	}
	return r
}

// listPollComments is the comments on a poll in any state, newest first.
func (c *Console) listPollComments(call *call) error {
	id, err := call.poll()
	if err != nil {
		return err
	}
	before, err := numberIn(call.r.URL.Query(), "before", 0)
	if err != nil {
		return err
	}
	if _, err := c.Polls.Record(call.r.Context(), id); err != nil {
		return err
	}
	remarks, err := c.Polls.Remarks(call.r.Context(), id, before, defaultFound+1)
	if err != nil {
		return err
	}
	answer := commentPage{Comments: []comment{}}
	for _, r := range remarks[:min(len(remarks), defaultFound)] {
		answer.Comments = append(answer.Comments, comment{r.ID, r.Body, author(r.Author), r.Created})
	}
	if len(remarks) > defaultFound {
		answer.Next = &remarks[defaultFound-1].ID
	}
	return call.answer(answer)
}

type commentPage struct {
	Comments []comment `json:"comments"`
	Next     *int64    `json:"next"`
}

type comment struct {
	ID        int64     `json:"id"`
	Body      string    `json:"body"`
	Author    author    `json:"author"`
	CreatedAt time.Time `json:"createdAt"`
}

package console

import (
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls"
)

func (c *Console) pollRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/polls":                                   c.forOperator(c.listPolls),
		"GET " + base + "/polls/{poll}":                            c.forOperator(c.getPoll),
		"GET " + base + "/polls/{poll}/picture":                    c.forOperator(c.getPollPicture),
		"GET " + base + "/polls/{poll}/votes":                      c.forOperator(c.getPollVotes),
		"GET " + base + "/polls/{poll}/comments":                   c.forOperator(c.listPollComments),
		"PUT " + base + "/polls/{poll}/hidden":                     c.forOperator(c.putPollHidden),
		"GET " + base + "/statistics/polls":                        c.forOperator(c.getPollStatistics),
		"GET " + base + "/publishers":                              c.forOperator(c.listPublishers),
		"POST " + base + "/publishers":                             c.forOperator(c.postPublisher),
		"GET " + base + "/publishers/{name}":                       c.forOperator(c.getPublisher),
		"POST " + base + "/publishers/{name}/members":              c.forOperator(c.postMember),
		"DELETE " + base + "/publishers/{name}/members/{username}": c.forOperator(c.deleteMember),
	}
}

// listPolls finds polls.
func (c *Console) listPolls(call *call) error {
	params := call.r.URL.Query()
	before, err := numberIn(params, "before", 0)
	if err != nil {
		return err
	}
	limit, err := numberIn(params, "limit", defaultFound)
	if err != nil {
		return err
	}
	found, next, err := c.Polls.FindPolls(call.r.Context(), polls.PollQuery{
		Text: params.Get("text"), Creator: params.Get("creator"), Publisher: params.Get("publisher"),
		State: polls.PollState(params.Get("state")), Before: before, Limit: int(min(limit, polls.MaxFound+1)),
	})
	if err != nil {
		return err
	}
	page := pollPage{Polls: []pollRecord{}}
	for _, p := range found {
		page.Polls = append(page.Polls, pollRecordOf(p))
	}
	if next != 0 {
		page.Next = &next
	}
	return call.answer(page)
}

const defaultFound = 25

type pollPage struct {
	Polls []pollRecord `json:"polls"`
	Next  *int64       `json:"next"` // null: that is all
}

// numberIn is a parameter that is a whole number of 0 or more.
func numberIn(params url.Values, name string, otherwise int64) (int64, error) {
	text := params.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, fault.New(fault.Invalid, "%s must be a whole number, not %.40q", name, text)
	}
	return n, nil
}

// poll is the number of the poll that a path names.
func (call *call) poll() (int64, error) {
	text := call.r.PathValue("poll")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, fault.New(fault.NotFound, "there is no poll %.40q", text)
	}
	return n, nil
}

type pollDetails struct {
	pollRecord
	Places []place `json:"places"`
}

type place struct {
	Publisher     string `json:"publisher"`
	PublisherName string `json:"publisherName"`
	Kind          string `json:"kind"`
	Name          string `json:"name"`
	Views         int64  `json:"views"`
}

// getPoll shows a poll in any state.
func (c *Console) getPoll(call *call) error {
	id, err := call.poll()
	if err != nil {
		return err
	}
	record, err := c.Polls.Record(call.r.Context(), id)
	if err != nil {
		return err
	}
	places, err := c.Polls.Places(call.r.Context(), id)
	if err != nil {
		return err
	}
	answer := pollDetails{pollRecordOf(record), []place{}}
	for _, p := range places {
		answer.Places = append(answer.Places, place{p.Publisher.Name, p.Publisher.DisplayName, p.Kind, p.Name, p.Views})
	}
	return call.answer(answer)
}

// getPollPicture shows the picture of a poll that nobody else may see.
func (c *Console) getPollPicture(call *call) error {
	id, err := call.poll()
	if err != nil {
		return err
	}
	file, contentType, err := c.Polls.Picture(call.r.Context(), id)
	if err != nil {
		return err
	}
	defer file.Close()
	h := call.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	call.w.WriteHeader(http.StatusOK)
	_, _ = io.Copy(call.w, file) // a caller that has left is told nothing
	return nil
}

// putPollHidden hides a poll, or shows it again.
func (c *Console) putPollHidden(call *call) error {
	id, err := call.poll()
	if err != nil {
		return err
	}
	var body struct {
		Hidden *bool `json:"hidden"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	if body.Hidden == nil {
		return fault.New(fault.Invalid, "say hidden, true or false")
	}
	if err := c.Polls.Hide(call.r.Context(), call.operator.ID, id, *body.Hidden); err != nil {
		return err
	}
	record, err := c.Polls.Record(call.r.Context(), id)
	if err != nil {
		return err
	}
	return call.answer(pollRecordOf(record))
}

// moment is null for the zero time.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

package console

import (
	"time"

	"stoa/polls"
)

type voteSpans struct {
	Seconds int64      `json:"seconds"` // the length of a span
	Spans   []voteSpan `json:"spans"`
}

type voteSpan struct {
	Start time.Time `json:"start"`
	Votes [2]int64  `json:"votes"`
}

// getPollVotes is when the votes of a poll were cast.
func (c *Console) getPollVotes(call *call) error {
	id, err := call.poll()
	if err != nil {
		return err
	}
	spans, length, err := c.Polls.VoteSpans(call.r.Context(), id)
	if err != nil {
		return err
	}
	answer := voteSpans{Seconds: int64(length / time.Second), Spans: []voteSpan{}}
	for _, s := range spans {
		answer.Spans = append(answer.Spans, voteSpan(s))
	}
	return call.answer(answer)
}

type pollStatistics struct {
	Totals *pollTotals `json:"totals"` // null for those of a publisher
	Days   []pollDay   `json:"days"`
}

type pollTotals struct {
	Polls      int64 `json:"polls"`
	Hidden     int64 `json:"hidden"`
	Votes      int64 `json:"votes"`
	Accounts   int64 `json:"accounts"`
	Publishers int64 `json:"publishers"`
}

type pollDay struct {
	Date     string `json:"date"`
	Votes    int64  `json:"votes"`
	Polls    int64  `json:"polls"`
	Accounts int64  `json:"accounts"`
}

const defaultDays = 30

// getPollStatistics is what happened on the last days, perhaps of one publisher.
func (c *Console) getPollStatistics(call *call) error {
	params, ctx := call.r.URL.Query(), call.r.Context()
	n, err := numberIn(params, "days", defaultDays)
	if err != nil {
		return err
	}
	publisher := params.Get("publisher")
	days, err := c.Polls.Days(ctx, publisher, int(min(n, polls.MaxDays+1)))
	if err != nil {
		return err
	}
	answer := pollStatistics{Days: []pollDay{}}
	for _, d := range days {
		answer.Days = append(answer.Days, pollDay{d.Date.Format(time.DateOnly), d.Votes, d.Polls, d.Accounts})
	}
	if publisher == "" {
		totals, err := c.Polls.Totals(ctx)
		if err != nil {
			return err
		}
		answer.Totals = new(pollTotals(totals))
	}
	return call.answer(answer)
}

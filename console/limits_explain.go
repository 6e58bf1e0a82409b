package console

import (
	"stoa/internal/fault"
	"stoa/ratelimit"
)

// explainRequest is a request that is not made.
type explainRequest struct {
	Domain      string `json:"domain"`
	Descriptors []struct {
		Entries []ratelimit.ExplainedEntry `json:"entries"`
	} `json:"descriptors"`
}

// mostExplained bounds what one explanation is asked.
const mostExplained = 100

// postLimitsExplain says what a request would be answered now, and why; it counts nothing.
func (c *Console) postLimitsExplain(call *call) error {
	var body explainRequest
	if err := call.read(&body); err != nil {
		return err
	}
	if len(body.Descriptors) > mostExplained {
		return fault.New(fault.Invalid, "want at most %d descriptors", mostExplained)
	}
	source := c.limitSource(body.Domain)
	if source == nil {
		return fault.New(fault.NotFound, "nothing is limited here: the setting limits is off, or no rules were read")
	}
	asked := ratelimit.Request{Domain: body.Domain}
	for _, d := range body.Descriptors {
		var entries []ratelimit.Entry
		for _, e := range d.Entries {
			entries = append(entries, ratelimit.Entry{Key: e.Key, Value: c.limitValue(source, e)})
		}
		asked.Descriptors = append(asked.Descriptors, ratelimit.Descriptor{Entries: entries})
	}
	explanation, err := source.Limiter.Explain(call.r.Context(), &asked)
	if err != nil {
		return err
	}
	source.place(explanation)
	for i, d := range body.Descriptors { // as they were written
		explanation.Descriptors[i].Entries = append([]ratelimit.ExplainedEntry{}, d.Entries...)
	}
	return call.answer(struct {
		Source  string                 `json:"source"`
		Address string                 `json:"address"`
		Answer  *ratelimit.Explanation `json:"answer"`
	}{source.Name, source.Address, explanation})
}

// limitSource is the one that has the domain, else any that has rules; nil: none has.
func (c *Console) limitSource(domain string) *LimitSource {
	var found *LimitSource
	for i := range c.Limits {
		rules := c.Limits[i].Limiter.Rules()
		if rules == nil {
			continue
		}
		if rules.Knows(domain) {
			return &c.Limits[i]
		}
		if found == nil {
			found = &c.Limits[i]
		}
	}
	return found
}

// limitValue is a value as the room asks with it: the polls hide who calls.
func (c *Console) limitValue(s *LimitSource, e ratelimit.ExplainedEntry) string {
	if s.Name == "polls" {
		return c.Polls.LimitValue(e.Key, e.Value)
	}
	return e.Value
}

// place names files as the API does.
func (s *LimitSource) place(e *ratelimit.Explanation) {
	name := func(file *string) {
		if *file != "" {
			*file = s.Prefix + *file
		}
	}
	for i := range e.Descriptors {
		d := &e.Descriptors[i]
		if d.Rule != nil {
			name(&d.Rule.File)
		}
		for _, level := range d.Levels {
			for j := range level.Tried {
				name(&level.Tried[j].File)
			}
		}
	}
}

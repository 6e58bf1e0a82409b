package analytics

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/video/internal/problem"
)

const (
	maxBack = 30 * 24 * time.Hour

	// lenience is for who counts 30 days from now and needs a while to ask.
	lenience = 5 * time.Minute
)

// question is a query with what the answer says of it.
type question struct {
	query
	measure  measure
	metric   string // the name with its parameters
	interval string
	frame    frame
}

// frame is a time, as it is answered.
type frame struct{ from, to time.Time }

// parseQuestion reads the parameters that all kinds of questions share.
func (s *Service) parseQuestion(ctx context.Context, values url.Values, project string, m measure) (*question, error) {
	now := s.now()
	q := &question{measure: m, metric: m.name, query: query{project: project, now: now.UnixMicro(), view: views5}}
	var err error
	if q.frame, err = parseFrame(values, now, m.total); err != nil {
		return nil, err
	}
	if err := q.parseParameters(values); err != nil {
		return nil, err
	}
	var allowed []string
	if m.total {
		allowed = []string{"mediaId", "mediaType"}
	}
	if q.filter, err = parseFilter(values, allowed...); err != nil {
		return nil, err
	}
	q.from = max(q.frame.from.UnixMicro(), now.Add(-s.Retention).UnixMicro())
	q.to = max(q.frame.to.UnixMicro(), q.from)
	q.tagged, err = s.mediasWithTag(ctx, &q.query)
	return q, err
}

// parseFrame reads from and to.
func parseFrame(values url.Values, now time.Time, ignored bool) (frame, error) {
	f := frame{to: now}
	if ignored {
		f.from = now.Add(-24 * time.Hour)
		return f, nil
	}
	var bad []*problem.Error
	if values.Has("to") {
		if t, ok := parseATOM(values.Get("to")); ok {
			f.to = t
		} else {
			bad = append(bad, problem.Query("to", "Give a time such as 2024-05-28T11:15:07+00:00."))
		}
	}
	f.from = f.to.Add(-24 * time.Hour)
	if values.Has("from") {
		if t, ok := parseATOM(values.Get("from")); ok {
			f.from = t
		} else {
			bad = append(bad, problem.Query("from", "Give a time such as 2024-05-28T11:15:07+00:00."))
		}
	}
	if err := problem.All(bad...); err != nil {
		return f, err
	}
	return f, f.check(now, lenience)
}

func (f frame) check(now time.Time, lenience time.Duration) error {
	switch {
	case f.from.Before(now.Add(-maxBack - lenience)):
		return problem.Query("from", "Analytics are kept for 30 days: give a later time.")
	case !f.from.Before(f.to):
		return problem.Query("from", "The timeframe is empty: from must be before to.")
	}
	return nil
}

// parseATOM also takes a + that was not encoded, and so arrives as a space.
func parseATOM(text string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339, strings.ReplaceAll(text, " ", "+"))
	return t.UTC(), err == nil && t.Year() >= 1970 && t.Year() < 10_000
}

// parseParameters reads unique and viewDuration.
func (q *question) parseParameters(values url.Values) error {
	if values.Has("unique") {
		if !q.measure.crowd && !q.measure.view {
			return problem.Query("unique", "This metric does not count viewers: leave unique out.")
		}
		var err error
		if q.unique, err = strconv.ParseBool(values.Get("unique")); err != nil {
			return problem.Query("unique", "Give unique as true or false.")
		}
	}
	length := ""
	if values.Has("viewDuration") {
		if !q.measure.view {
			return problem.Query("viewDuration", "This metric does not count views: leave viewDuration out.")
		}
		durations := []string{"3s", "5s", "10s", "30s"}
		i := slices.Index(durations, values.Get("viewDuration"))
		if i < 0 {
			return problem.Query("viewDuration", "The view duration is one of 3s, 5s, 10s and 30s.")
		}
		q.view, length = views3+i, durations[i]
	}
	if q.measure.view && length == "" && !q.unique {
		length = "5s"
	}
	if length != "" {
		q.metric += "-" + strings.TrimSuffix(length, "s")
	}
	if q.unique {
		q.metric = "unique-" + q.metric
	}
	return nil
}

// mediasWithTag are those of the project that have the tag now.
func (s *Service) mediasWithTag(ctx context.Context, q *query) (map[string]bool, error) {
	if q.filter.tag == nil {
		return nil, nil
	}
	var known []string
	some := query{project: q.project, filter: filter{live: q.filter.live, lists: map[string][]string{}}, group: "x.media"}
	if ids := q.filter.lists["x.media"]; ids != nil {
		some.filter.lists["x.media"] = ids
	}
	var t text
	t.WriteString("SELECT x.media, ''")
	some.where(&t, "analytics_totals")
	if err := s.read(ctx, &some, &t, nil, func(media string) { known = append(known, media) }); err != nil {
		return nil, err
	}
	tagged := map[string]bool{}
	for ids := range slices.Chunk(known, 500) {
		medias, err := s.Media(ctx, ids)
		if err != nil {
			return nil, fmt.Errorf("find the medias with a tag: %w", err)
		}
		for id, m := range medias {
			if slices.Contains(m.Tags, *q.filter.tag) {
				tagged[id] = true
			}
		}
	}
	return tagged, nil
}

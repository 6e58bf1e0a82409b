package analytics

import (
	"context"
	"fmt"
	"strconv"
)

// crowds counts who is there at the same time, in each group and until a moment.
func (s *Service) crowds(ctx context.Context, q *query, until int64) (map[string]*crowd, error) {
	who := "x.session"
	if q.unique {
		who = "x.viewer"
	}
	group := "''"
	if q.group != "" {
		group = q.group
	}
	var t text
	fmt.Fprintf(&t, "SELECT %s, %s, %s, x.began_at, x.ended_at", group, q.owner(), who)
	q.where(&t, "analytics_stretches")
	t.add(" AND x.began_at >= %s AND x.began_at < %s AND x.ended_at > %s ORDER BY x.began_at", q.from-microsHour, q.to, q.from)
	all := map[string]*crowd{}
	var person, began, ended int64
	err := s.read(ctx, q, &t, []any{&person, &began, &ended}, func(group string) {
		if all[group] == nil {
			all[group] = newCrowd(q.spans())
		}
		all[group].enter(person, began, min(ended, until))
	})
	return all, err
}

// spans are the intervals of a time series, or the whole time.
func (q *query) spans() []crowdSpan {
	if q.unit == 0 {
		return []crowdSpan{{from: q.from, to: q.to}}
	}
	var all []crowdSpan
	for n := q.from / q.unit; n*q.unit < q.to; n++ {
		all = append(all, crowdSpan{from: max(n*q.unit, q.from), to: min((n+1)*q.unit, q.to)})
	}
	return all
}

func (s *Service) crowdPeak(ctx context.Context, q *query) (values, error) {
	return s.crowdValues(ctx, q, q.to, func(span crowdSpan) float64 { return float64(span.peak) })
}

// crowdAverage is over what has passed, while who is there now is so for some seconds more.
func (s *Service) crowdAverage(ctx context.Context, q *query) (values, error) {
	return s.crowdValues(ctx, q, q.now, func(span crowdSpan) float64 { return span.average(q.now) })
}

func (s *Service) crowdValues(ctx context.Context, q *query, until int64, value func(crowdSpan) float64) (values, error) {
	crowds, err := s.crowds(ctx, q, until)
	if err != nil {
		return nil, err
	}
	all := values{}
	for group, c := range crowds {
		for _, span := range c.close() {
			if q.unit != 0 {
				group = strconv.FormatInt(span.from/q.unit, 10)
			}
			all[group] = value(span)
		}
	}
	return all, nil
}

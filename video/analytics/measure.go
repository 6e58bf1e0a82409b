package analytics

import (
	"context"
	"fmt"
)

// measure is a metric that can be asked for.
type measure struct {
	name string // in the context of an answer
	ask  func(*Service, context.Context, *query) (values, error)

	crowd bool // counts people who are there; may be unique
	view  bool // has a viewDuration; may be unique
	total bool // of all times
}

var (
	measurePlay       = counted("play", factPlays)
	measureStart      = counted("start", factPlays) // a playback starts with its first play
	measureEnd        = counted("end", factEnds)
	measureImpression = counted("impression", factImpressions)
	measurePlayRate   = measure{name: "play-rate", ask: divided(factPlays, factImpressions, 1)}
	measurePlayTotal  = measure{name: "play-total", ask: (*Service).totals, total: true}
	measurePeak       = measure{name: "ccv-peak", ask: (*Service).crowdPeak, crowd: true}
	measureAverage    = measure{name: "ccv-average", ask: (*Service).crowdAverage, crowd: true}
	measureView       = measure{name: "view", ask: (*Service).views, view: true}
)

// aggregates are the metrics of /data/metrics by metric and aggregation.
var aggregates = map[string]measure{
	"play/count":              measurePlay,
	"play/rate":               measurePlayRate.named("play"),
	"play/total":              measurePlayTotal.named("play"),
	"start/count":             measureStart,
	"end/count":               measureEnd,
	"impression/count":        measureImpression,
	"impression-time/average": {name: "impression-time", ask: divided(factWaitMS, factWaits, 1)},
	"impression-time/sum":     counted("impression-time", factWaitMS),
	"watch-time/average":      {name: "watch-time", ask: divided(factWatchMS, factPlays, 0.001)},
	"watch-time/sum":          {name: "watch-time", ask: (*Service).watchTime},
	"ccv/peak":                measurePeak.named("ccv"),
	"ccv/average":             measureAverage.named("ccv"),
	"ccv/live":                {name: "ccv", ask: (*Service).crowdLive, crowd: true},
	"view/count":              measureView,
}

// series are the metrics of /data/timeseries, and but for the total of plays those
// of /data/buckets.
var series = map[string]measure{
	"play": measurePlay, "play-rate": measurePlayRate, "start": measureStart, "end": measureEnd, "impression": measureImpression,
	"ccv-peak": measurePeak, "ccv-average": measureAverage, "view": measureView,
}

func (m measure) named(name string) measure {
	m.name = name
	return m
}

func counted(name string, f fact) measure {
	return measure{name: name, ask: func(s *Service, ctx context.Context, q *query) (values, error) { return s.sum(ctx, q, f) }}
}

func divided(above, below fact, factor float64) func(*Service, context.Context, *query) (values, error) {
	return func(s *Service, ctx context.Context, q *query) (values, error) {
		n, err := s.sum(ctx, q, above)
		if err != nil {
			return nil, err
		}
		d, err := s.sum(ctx, q, below)
		if err != nil {
			return nil, err
		}
		return ratio(n, d, factor), nil
	}
}

// watchTime is in seconds.
func (s *Service) watchTime(ctx context.Context, q *query) (values, error) {
	all, err := s.sum(ctx, q, factWatchMS)
	for group := range all {
		all[group] /= 1000
	}
	return all, err
}

func (s *Service) views(ctx context.Context, q *query) (values, error) {
	if q.unique {
		return s.viewers(ctx, q)
	}
	return s.sum(ctx, q, factViews(q.view))
}

// crowdLive is the peak of the last 20 seconds, whatever the timeframe.
func (s *Service) crowdLive(ctx context.Context, q *query) (values, error) {
	live := *q
	live.from, live.to = q.now-presence, q.now+1
	return s.crowdPeak(ctx, &live)
}

// totals are plays of all times.
func (s *Service) totals(ctx context.Context, q *query) (values, error) {
	var t text
	fmt.Fprintf(&t, "SELECT %s, %s, CAST(SUM(x.plays) AS BIGINT)", q.key(""), q.owner())
	q.where(&t, "analytics_totals")
	t.WriteString(" GROUP BY 1, 2")
	all := values{}
	return all, s.addUp(ctx, q, &t, all)
}

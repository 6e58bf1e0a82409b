package analytics

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// atom is how times are written.
const atom = "2006-01-02T15:04:05-07:00"

// answerContext repeats the question. One of the three in the middle is there.
type answerContext struct {
	Metric      string          `json:"metric"`
	Aggregation string          `json:"aggregation,omitempty"`
	Breakdown   string          `json:"breakdown,omitempty"`
	Interval    string          `json:"interval,omitempty"`
	Timeframe   answerTimeframe `json:"timeframe"`
}

type answerTimeframe struct {
	From string `json:"from"`
	To   string `json:"to"`
}

func (q *question) context() answerContext {
	return answerContext{Metric: q.metric, Timeframe: answerTimeframe{q.frame.from.Format(atom), q.frame.to.Format(atom)}}
}

// Metric answers GET /data/metrics/{metric}/{aggregation}.
func (s *Service) Metric(w http.ResponseWriter, r *http.Request, project string) error {
	aggregation := r.PathValue("aggregation")
	m, known := aggregates[r.PathValue("metric")+"/"+aggregation]
	if !known {
		return problem.Unrecognized()
	}
	q, err := s.parseQuestion(r.Context(), r.URL.Query(), project, m)
	if err != nil {
		return err
	}
	found, err := m.ask(s, r.Context(), &q.query)
	if err != nil {
		return err
	}
	about := q.context()
	about.Aggregation = aggregation
	return problem.JSON(w, http.StatusOK, struct {
		Context answerContext `json:"context"`
		Data    float64       `json:"data"`
	}{about, found[""]})
}

type bucket struct {
	Dimension string  `json:"dimensionValue"`
	Metric    float64 `json:"metricValue"`
}

// Buckets answers GET /data/buckets/{metric}/{breakdown}.
func (s *Service) Buckets(w http.ResponseWriter, r *http.Request, project string) error {
	metric, breakdown := r.PathValue("metric"), r.PathValue("breakdown")
	m, known := series[metric]
	if metric == "play-total" && breakdown == "media-id" {
		m, known = measurePlayTotal, true
	}
	column, divides := breakdowns[breakdown]
	if !known || !divides {
		return problem.Unrecognized()
	}
	page, by, descending, err := parseList(r.URL.Query(), "metricValue desc", "metricValue", "dimensionValue")
	if err != nil {
		return err
	}
	q, err := s.parseQuestion(r.Context(), r.URL.Query(), project, m)
	if err != nil {
		return err
	}
	q.group = column
	found, err := m.ask(s, r.Context(), &q.query)
	if err != nil {
		return err
	}
	about := q.context()
	about.Breakdown = breakdown
	buckets := make([]bucket, 0, len(found))
	for group, value := range found {
		buckets = append(buckets, bucket{group, value})
	}
	order(buckets, by == "metricValue", descending, func(b bucket) (float64, string) { return b.Metric, b.Dimension })
	return writeList(w, r.URL, about, page, buckets)
}

type point struct {
	EmittedAt string  `json:"emittedAt"`
	Metric    float64 `json:"metricValue"`
}

// Timeseries answers GET /data/timeseries/{metric}.
func (s *Service) Timeseries(w http.ResponseWriter, r *http.Request, project string) error {
	m, known := series[r.PathValue("metric")]
	if !known {
		return problem.Unrecognized()
	}
	page, by, descending, err := parseList(r.URL.Query(), "emittedAt", "metricValue", "emittedAt")
	if err != nil {
		return err
	}
	q, err := s.parseQuestion(r.Context(), r.URL.Query(), project, m)
	if err != nil {
		return err
	}
	if err := q.parseInterval(r.URL.Query()); err != nil {
		return err
	}
	points, err := s.points(r.Context(), q)
	if err != nil {
		return err
	}
	about := q.context()
	about.Interval = q.interval
	order(points, by == "metricValue", descending, func(p point) (float64, string) { return p.Metric, p.EmittedAt })
	return writeList(w, r.URL, about, page, points)
}

// points are all intervals of the timeframe, also those in which nothing happened.
func (s *Service) points(ctx context.Context, q *question) ([]point, error) {
	found, err := q.measure.ask(s, ctx, &q.query)
	if err != nil {
		return nil, err
	}
	points := []point{}
	for n := q.frame.from.UnixMicro() / q.unit; n*q.unit < q.frame.to.UnixMicro(); n++ {
		at := time.UnixMicro(n * q.unit).UTC().Format(atom)
		points = append(points, point{at, found[strconv.FormatInt(n, 10)]})
	}
	return points, nil
}

// parseInterval reads the interval, or chooses one that suits the timeframe.
func (q *question) parseInterval(values url.Values) error {
	length := q.frame.to.Sub(q.frame.from)
	q.interval = "day"
	if length <= 48*time.Hour {
		q.interval = "hour"
	}
	if values.Has("interval") {
		q.interval = values.Get("interval")
	}
	switch q.interval {
	case "minute":
		q.unit = microsMinute
		if length > time.Hour {
			return problem.Query("interval", "The interval minute is for timeframes below 60 minutes: shorten the timeframe, or use hour.")
		}
	case "hour":
		q.unit = microsHour
	case "day":
		q.unit = microsDay
	default:
		return problem.Query("interval", "The interval is one of minute, hour and day.")
	}
	if length > 2*maxBack {
		return problem.Query("to", "The timeframe is too long: give an earlier time.")
	}
	return nil
}

func parseList(values url.Values, fallback string, allowed ...string) (page paging.Page, by string, descending bool, err error) {
	if page, err = paging.Read(values); err != nil {
		return page, "", false, err
	}
	by, descending, err = paging.Order(values, fallback, allowed...)
	return page, by, descending, err
}

// order sorts by value or by name. Equal values stand in the order of their names.
func order[T any](items []T, byValue, descending bool, of func(T) (float64, string)) {
	slices.SortFunc(items, func(a, b T) int {
		aValue, aName := of(a)
		bValue, bName := of(b)
		sign := 1
		if descending {
			sign = -1
		}
		if byValue {
			return cmp.Or(sign*cmp.Compare(aValue, bValue), cmp.Compare(aName, bName))
		}
		return sign * cmp.Compare(aName, bName)
	})
}

// cut is the part of a list that is on a page.
func cut[T any](items []T, page paging.Page) []T {
	first := page.Offset()
	if first < 0 || first > len(items) {
		first = len(items)
	}
	return items[first:min(first+page.Size, len(items))]
}

func writeList[T any](w http.ResponseWriter, address *url.URL, about answerContext, page paging.Page, items []T) error {
	return problem.JSON(w, http.StatusOK, struct {
		Context answerContext `json:"context"`
		paging.Response[T]
	}{about, paging.Answer(address, page, len(items), cut(items, page))})
}

package analytics

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// VideoPlays answers GET /analytics/videos/plays, which older clients ask.
func (s *Service) VideoPlays(w http.ResponseWriter, r *http.Request, project string) error {
	return s.plays(w, r, project, "videoId", false)
}

// LivePlays answers GET /analytics/live-streams/plays.
func (s *Service) LivePlays(w http.ResponseWriter, r *http.Request, project string) error {
	return s.plays(w, r, project, "liveStreamId", true)
}

// playDimensions are what plays are broken down by, beside the media and the time.
var playDimensions = map[string]string{
	"country": "a.country", "deviceType": "a.device", "operatingSystem": "a.system", "browser": "a.browser",
}

// playItem is the plays of one value of the dimension.
type playItem struct {
	Value string `json:"value"`
	Plays int64  `json:"plays"`
}

func (s *Service) plays(w http.ResponseWriter, r *http.Request, project, mediaName string, live bool) error {
	values := r.URL.Query()
	page, err := paging.Read(values)
	if err != nil {
		return err
	}
	q := &question{measure: measurePlay, query: query{project: project, filter: filter{live: &live, lists: map[string][]string{}}}}
	if err := q.parsePlays(values, mediaName, s.now()); err != nil {
		return err
	}
	q.from = max(q.frame.from.UnixMicro(), s.now().Add(-s.Retention).UnixMicro())
	q.to = max(q.frame.to.UnixMicro(), q.from)
	items, err := s.playItems(r.Context(), q)
	if err != nil {
		return err
	}
	return problem.JSON(w, http.StatusOK, paging.Answer(r.URL, page, len(items), cut(items, page)))
}

func (q *question) parsePlays(values url.Values, mediaName string, now time.Time) error {
	var err error
	if q.frame, err = parseDates(values, now); err != nil {
		return err
	}
	dimension := values.Get("dimension")
	switch column, known := playDimensions[dimension]; {
	case dimension == mediaName:
		q.group = "x.media"
	case dimension == "emittedAt":
		if err := q.parseInterval(nil); err != nil {
			return err
		}
	case known:
		q.group = column
	default:
		names := append([]string{mediaName, "emittedAt"}, slices.Sorted(maps.Keys(playDimensions))...)
		return problem.Query("dimension", "The dimension is one of %s.", strings.Join(names, ", "))
	}
	if values.Has("filter") {
		name, id, _ := strings.Cut(values.Get("filter"), ":")
		if name != mediaName || !isID(id) {
			return problem.Query("filter", "The filter is %s, a colon and an id.", mediaName)
		}
		q.filter.lists["x.media"] = []string{id}
	}
	return nil
}

// playItems are those with plays, the most played first, or in the order of time.
func (s *Service) playItems(ctx context.Context, q *question) ([]playItem, error) {
	items := []playItem{}
	if q.unit != 0 {
		points, err := s.points(ctx, q)
		for _, p := range points {
			if p.Metric != 0 {
				items = append(items, playItem{p.EmittedAt, int64(p.Metric)})
			}
		}
		return items, err
	}
	found, err := q.measure.ask(s, ctx, &q.query)
	for value, n := range found {
		items = append(items, playItem{value, int64(n)})
	}
	order(items, true, true, func(i playItem) (float64, string) { return float64(i.Plays), i.Value })
	return items, err
}

// parseDates reads from and to, which are days or times. The day of to is excluded.
func parseDates(values url.Values, now time.Time) (frame, error) {
	f := frame{to: now}
	if values.Get("from") == "" {
		return f, problem.Query("from", "Give the first day, such as 2024-05-28.")
	}
	for _, end := range []struct {
		name string
		at   *time.Time
	}{{"from", &f.from}, {"to", &f.to}} {
		text := values.Get(end.name)
		if text == "" {
			continue
		}
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			var ok bool
			if day, ok = parseATOM(text); !ok {
				return f, problem.Query(end.name, "Give a day such as 2024-05-28.")
			}
		}
		*end.at = day
	}
	return f, f.check(now, 24*time.Hour) // the day of 30 days ago began before
}

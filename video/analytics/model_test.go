package analytics

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// told is a playback as its player meant it: what the model knows.
type told struct {
	media, pid, sid, referrer, address, agent string
	skew                                      int64 // milliseconds that the player's clock is ahead
	events                                    []toldEvent
	viewer                                    string
}

type toldEvent struct {
	at       time.Time // when it really happened
	kind     kind
	position float64
	paused   bool
}

// life makes up a playback: somebody loads, plays, seeks, pauses and leaves.
func life(r *rand.Rand, n int, begin time.Time) *told {
	p := &told{
		media: []string{"vi1", "vi1", "vi2", "vi3", "li1", "vi9"}[r.IntN(6)], pid: fmt.Sprintf("p-%d", n), sid: fmt.Sprintf("s-%d", n/2),
		referrer: []string{"", "https://a.example/x?y=1", "https://b.example/"}[r.IntN(3)],
		address:  []string{"10.0.0.1", "10.0.0.2", "200.0.0.1"}[r.IntN(3)], agent: []string{chrome, iphone, linux}[r.IntN(3)],
		skew: r.Int64N(1e10) - 5e9,
	}
	at, position := begin, 0.0
	say := func(k kind, paused bool) { p.events = append(p.events, toldEvent{at, k, position, paused}) }
	pass := func(seconds float64) { at = at.Add(time.Duration(seconds*1000) * time.Millisecond) }
	whole := func(most int) float64 { return float64(1 + r.IntN(most)) }
	if r.IntN(10) > 0 {
		say(source, true)
		pass(whole(3))
		say(loaded, true)
	}
	if r.IntN(5) == 0 && len(p.events) > 0 {
		return p // it was never played
	}
	pass(whole(90))
	say(play, false)
	for range r.IntN(25) {
		switch r.IntN(8) {
		case 0:
			say(pause, true)
			pass(whole(60))
			say(play, false)
		case 1:
			if position += whole(2); r.IntN(2) == 0 {
				position = whole(600)
			}
			pass(0.1)
			say(seek, false)
		default:
			step := whole(6)
			pass(step)
			position += step
			say(timeUpdate, false)
		}
		pass(0.2)
	}
	if r.IntN(3) == 0 {
		say(end, true)
	}
	return p
}

// body is a batch as the player sends it at a time.
func (p *told) body(events []toldEvent, sent time.Time) string {
	type wireEvent struct {
		Eat int64   `json:"eat"`
		Typ kind    `json:"typ"`
		Vti float64 `json:"vti"`
		Pau bool    `json:"pau"`
	}
	all := []wireEvent{}
	for _, e := range events {
		all = append(all, wireEvent{e.at.UnixMilli() + p.skew, e.kind, e.position, e.paused})
	}
	body, err := json.Marshal(map[string]any{"sat": sent.UnixMilli() + p.skew, "sid": p.sid, "mid": p.media, "pid": p.pid, "ref": p.referrer, "ver": "0.1.0", "eve": all})
	if err != nil {
		panic(err) // there is nothing in it that JSON does not know
	}
	return string(body)
}

// deliveries are the batches of a playback, some of them twice, some overtaken by
// the next one.
func (p *told) deliveries(r *rand.Rand) (all []received) {
	last := p.events[0].at
	for rest := p.events; len(rest) > 0; {
		n := min(1+r.IntN(6), len(rest))
		sent := rest[n-1].at.Add(time.Duration(r.IntN(5000)) * time.Millisecond)
		if sent.Before(last) {
			sent = last
		}
		last = sent
		all = append(all, received{p.body(rest[:n], sent), p.address, p.agent, sent})
		rest = rest[n:]
	}
	for i := 1; i < len(all); i++ {
		switch r.IntN(6) {
		case 0: // the batch before comes later, sent again at that time
			all[i-1], all[i] = all[i], all[i-1]
			all[i].at = all[i-1].at
			all[i].body = resent(all[i].body, p.skew, all[i].at)
		case 1: // the same bytes twice
			again := all[i-1]
			again.at = all[i].at
			all = slices.Insert(all, i+1, again)
		}
	}
	slices.SortStableFunc(all, func(a, b received) int { return a.at.Compare(b.at) })
	p.viewer = p.address + p.agent + all[0].at.UTC().Format(time.DateOnly)
	return all
}

func resent(body string, skew int64, at time.Time) string {
	var fields map[string]any
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		panic(err)
	}
	fields["sat"] = at.UnixMilli() + skew
	again, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(again)
}

// first is when something happened first.
func (p *told) first(k kind) (time.Time, bool) {
	for _, e := range p.events {
		if e.kind == k {
			return e.at, true
		}
	}
	return time.Time{}, false
}

func (p *told) anchor() time.Time {
	if at, played := p.first(play); played {
		return at
	}
	return p.events[0].at
}

// watched is the way from position to position that was no seek, in milliseconds.
func (p *told) watched() (ms float64) {
	for i := 1; i < len(p.events); i++ {
		if a, b := p.events[i-1], p.events[i]; b.kind == timeUpdate {
			ms += (b.position - a.position) * 1000
		}
	}
	return math.Round(ms)
}

func (p *told) waited() (ms float64, ok bool) {
	from, ok := p.first(source)
	to, played := p.first(play)
	return float64(to.Sub(from).Milliseconds()), ok && played
}

var modelAgents = map[string][3]string{chrome: {"computer", "windows", "chrome"}, iphone: {"phone", "ios", "safari"}, linux: {"computer", "linux", "firefox"}}

func (p *told) dimension(name string) string {
	lower := strings.HasPrefix(p.address, "10.")
	switch name {
	case "media-id":
		return p.media
	case "media-type":
		return map[bool]string{true: "live-stream", false: "video"}[testMedia[p.media].Live]
	case "continent":
		return map[bool]string{true: "EU", false: "AZ"}[lower]
	case "country":
		return map[bool]string{true: "FR", false: "AU"}[lower]
	case "device-type":
		return modelAgents[p.agent][0]
	case "operating-system":
		return modelAgents[p.agent][1]
	case "browser":
		return modelAgents[p.agent][2]
	}
	return p.referrer
}

// model answers questions by looking at everything.
type model struct {
	playbacks []*told
	now       time.Time
}

// asked is a question in the words of the model.
type asked struct {
	metric   string // as in series, or a metric and an aggregation
	from, to time.Time
	where    func(*told) bool
	by       string // dimension, or "minute", "hour", "day", or ""
	unique   bool
	seconds  float64
}

var modelUnits = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}

func (m *model) answer(q asked) map[string]float64 {
	if strings.HasPrefix(q.metric, "ccv") {
		return m.crowds(q)
	}
	above, below := map[string]float64{}, map[string]float64{}
	people := map[string]map[string]bool{}
	for _, p := range m.playbacks {
		if testMedia[p.media].Project != "one" || !q.where(p) {
			continue
		}
		add := func(to map[string]float64, at time.Time, n float64) string {
			if at.Before(q.from) || !at.Before(q.to) {
				return ""
			}
			key := q.key(p, at)
			to[key] += n
			return key
		}
		played, didPlay := p.first(play)
		shown, didShow := p.first(loaded)
		ended, didEnd := p.first(end)
		waited, didWait := p.waited()
		inside := !p.anchor().Before(q.from) && p.anchor().Before(q.to)
		switch q.metric {
		case "play", "start", "play/total":
			if didPlay {
				add(above, played, 1)
			}
		case "play-rate":
			if didPlay {
				add(above, played, 1)
			}
			if didShow {
				add(below, shown, 1)
			}
		case "impression":
			if didShow {
				add(above, shown, 1)
			}
		case "end":
			if didEnd {
				add(above, ended, 1)
			}
		case "impression-time/sum", "impression-time/average":
			if didWait {
				add(above, p.anchor(), waited)
				add(below, p.anchor(), 1)
			}
		case "watch-time/sum", "watch-time/average":
			add(above, p.anchor(), p.watched()/1000)
			if didPlay {
				add(below, p.anchor(), 1)
			}
		case "view":
			if p.watched() < q.seconds*1000 || !inside {
				continue
			}
			key := q.key(p, p.anchor())
			if people[key] == nil {
				people[key] = map[string]bool{}
			}
			if !q.unique || !people[key][p.viewer] {
				above[key]++
			}
			people[key][p.viewer] = true
		}
	}
	if q.metric == "play-rate" || strings.HasSuffix(q.metric, "/average") {
		for key := range below {
			above[key] += 0
		}
		for key := range above {
			above[key] = quotient(above[key], below[key])
		}
	}
	return above
}

func quotient(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func (q asked) key(p *told, at time.Time) string {
	if unit := modelUnits[q.by]; unit != 0 {
		return at.UTC().Truncate(unit).Format(atom)
	}
	if q.by != "" {
		return p.dimension(q.by)
	}
	return ""
}

// crowds tries every moment at which somebody comes.
func (m *model) crowds(q asked) map[string]float64 {
	there := map[string]map[string][][2]time.Time{} // by group and person
	for _, p := range m.playbacks {
		if testMedia[p.media].Project != "one" || !q.where(p) {
			continue
		}
		group, person := "", p.sid
		if _, isTime := modelUnits[q.by]; q.by != "" && !isTime {
			group = p.dimension(q.by)
		}
		if q.unique {
			person = p.viewer
		}
		if there[group] == nil {
			there[group] = map[string][][2]time.Time{}
		}
		for _, e := range p.events {
			there[group][person] = append(there[group][person], [2]time.Time{e.at, e.at.Add(20 * time.Second)})
		}
	}
	all := map[string]float64{}
	for group, people := range there {
		for person, times := range people {
			people[person] = join(times)
		}
		if unit := modelUnits[q.by]; unit != 0 {
			for at := q.from.UTC().Truncate(unit); at.Before(q.to); at = at.Add(unit) {
				if n := q.crowd(people, later(at, q.from), earlier(at.Add(unit), q.to)); n != 0 {
					all[at.Format(atom)] = n
				}
			}
		} else if n := q.crowd(people, q.from, q.to); n != 0 {
			all[group] = n
		}
	}
	return all
}

// crowd is the peak or the average of people of whom it is known when they were
// there, in order.
func (q asked) crowd(people map[string][][2]time.Time, from, to time.Time) float64 {
	var begins []time.Time
	var total time.Duration
	for _, times := range people {
		for _, t := range times {
			if begin, end := later(t[0], from), earlier(t[1], to); begin.Before(end) {
				begins = append(begins, begin)
				total += end.Sub(begin)
			}
		}
	}
	if strings.HasSuffix(q.metric, "average") {
		return float64(total) / float64(to.Sub(from))
	}
	peak := 0
	for _, at := range begins {
		n := 0
		for _, times := range people {
			if slices.ContainsFunc(times, func(t [2]time.Time) bool { return !t[0].After(at) && t[1].After(at) }) {
				n++
			}
		}
		peak = max(peak, n)
	}
	return float64(peak)
}

// join makes one time of those that touch each other.
func join(times [][2]time.Time) (joined [][2]time.Time) {
	slices.SortFunc(times, func(a, b [2]time.Time) int { return a[0].Compare(b[0]) })
	for _, t := range times {
		if last := len(joined) - 1; last >= 0 && !t[0].After(joined[last][1]) {
			joined[last][1] = later(joined[last][1], t[1])
		} else {
			joined = append(joined, t)
		}
	}
	return joined
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// TestAnswersAreThoseOfTheModel sends made-up playbacks in pieces, some of them
// twice or in another order, and asks everything that can be asked.
func TestAnswersAreThoseOfTheModel(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		r := rand.New(rand.NewPCG(4, 2))
		m := &model{now: noon}
		var all []received
		for n := range 80 {
			begin := noon.Add(-70 * time.Hour).Add(time.Duration(r.IntN(69*3600)) * time.Second)
			if n%3 == 0 { // a crowd around midnight
				begin = noon.Truncate(24 * time.Hour).Add(time.Duration(r.IntN(300)-150) * time.Second)
			}
			p := life(r, n, begin)
			m.playbacks = append(m.playbacks, p)
			all = append(all, p.deliveries(r)...)
		}
		slices.SortStableFunc(all, func(a, b received) int { return a.at.Compare(b.at) })
		for len(all) > 0 {
			n := min(1+r.IntN(40), len(all))
			s.write(all[:n]...)
			all = all[n:]
		}
		for i, frame := range [][2]time.Time{
			{noon.Add(-80 * time.Hour), noon},
			{noon.Add(-60 * time.Hour).Truncate(time.Hour), noon.Add(-2 * time.Hour).Truncate(time.Hour)},
			{noon.Truncate(24 * time.Hour).Add(-90 * time.Second), noon.Truncate(24 * time.Hour).Add(77 * time.Second)},
			{noon.Add(-31 * time.Hour), noon.Add(-7 * time.Hour)},
		} {
			askEverything(t, s, m, frame[0], frame[1], i)
		}
	})
}

var modelFilters = map[string]func(*told) bool{
	"": func(*told) bool { return true },
	"filterBy[mediaId][0]=vi1&filterBy[mediaId][1]=li1": func(p *told) bool { return p.media == "vi1" || p.media == "li1" },
	"filterBy[mediaType]=video&filterBy[country][]=FR":  func(p *told) bool { return p.media != "li1" && p.dimension("country") == "FR" },
	"filterBy[continent]=AZ":                            func(p *told) bool { return p.dimension("continent") == "AZ" },
	"filterBy[deviceType]=phone":                        func(p *told) bool { return p.agent == iphone },
	"filterBy[operatingSystem]=linux":                   func(p *told) bool { return p.agent == linux },
	"filterBy[browser]=chrome&filterBy[browser]=safari": func(p *told) bool { return p.agent != linux },
	"filterBy[referrer]=":                               func(p *told) bool { return p.referrer == "" },
	"filterBy[tag]=News":                                func(p *told) bool { return slices.Contains(testMedia[p.media].Tags, "News") },
	"filterBy[tag]=news&filterBy[mediaId]=vi1":          func(*told) bool { return false },
}

// askEverything asks each question in one of four timeframes, which is the number
// of this one.
func askEverything(t *testing.T, s *stand, m *model, from, to time.Time, number int) {
	frame := "from=" + url.QueryEscape(from.Format(atom)) + "&to=" + url.QueryEscape(to.Format(atom)) + "&pageSize=100"
	turn := 0
	filters := slices.Sorted(maps.Keys(modelFilters))
	ask := func(path string, q asked, where string) {
		q.from, q.to, q.where = from, to, modelFilters[where]
		if q.seconds == 0 {
			q.seconds = 5
		}
		path += "?" + strings.NewReplacer("[", "%5B", "]", "%5D").Replace(frame+"&"+where)
		if modelUnits[q.by] != 0 {
			path += "&interval=" + q.by
		}
		if q.unique {
			path += "&unique=true"
		}
		if q.seconds != 5 {
			path += fmt.Sprintf("&viewDuration=%vs", q.seconds)
		}
		want := m.answer(q)
		if got := s.figures(path); !same(got, want) {
			t.Errorf("GET %s\ngot  %v\nwant %v", path, got, want)
		}
	}
	mayAsk := func(path string, q asked, where string) {
		if turn++; turn%4 == number {
			ask(path, q, where)
		}
	}
	for _, metric := range []string{"play", "start", "end", "impression", "play-rate", "ccv-peak", "ccv-average", "view"} {
		for _, variant := range []asked{{metric: metric}, {metric: metric, unique: true}, {metric: metric, seconds: 30}, {metric: metric, seconds: 3, unique: true}} {
			if variant.unique && metric != "view" && !strings.HasPrefix(metric, "ccv") || variant.seconds != 0 && metric != "view" {
				continue
			}
			for _, by := range []string{"media-id", "media-type", "continent", "country", "device-type", "operating-system", "browser", "referrer"} {
				variant.by = by
				mayAsk("/data/buckets/"+metric+"/"+by, variant, filters[turn%len(filters)])
			}
			for _, by := range []string{"hour", "day"} {
				variant.by = by
				mayAsk("/data/timeseries/"+metric, variant, filters[turn%len(filters)])
			}
			if variant.by = "minute"; to.Sub(from) <= time.Hour {
				ask("/data/timeseries/"+metric, variant, "")
			}
		}
	}
	for _, where := range filters {
		turn++
		for _, c := range [][2]string{
			{"play/count", "play"}, {"play/rate", "play-rate"}, {"start/count", "start"}, {"end/count", "end"}, {"impression/count", "impression"},
			{"impression-time/sum", "impression-time/sum"}, {"impression-time/average", "impression-time/average"},
			{"watch-time/sum", "watch-time/sum"}, {"watch-time/average", "watch-time/average"},
			{"ccv/peak", "ccv-peak"}, {"ccv/average", "ccv-average"}, {"view/count", "view"},
		} {
			mayAsk("/data/metrics/"+c[0], asked{metric: c[1]}, where)
		}
	}
}

// figures are the numbers of an answer, without those that are 0.
func (s *stand) figures(path string) map[string]float64 {
	s.t.Helper()
	status, answer := s.get(path)
	if status != 200 {
		s.t.Fatalf("GET %s: got %d %v", path, status, answer)
	}
	all := map[string]float64{}
	items, isList := answer["data"].([]any)
	if !isList {
		all[""] = answer["data"].(float64)
	}
	for _, item := range items {
		fields := item.(map[string]any)
		name, isBucket := fields["dimensionValue"].(string)
		if !isBucket {
			name = fields["emittedAt"].(string)
		}
		all[name] = fields["metricValue"].(float64)
	}
	return all
}

func same(got, want map[string]float64) bool {
	for _, keys := range []map[string]float64{got, want} {
		for key := range keys {
			if math.Abs(got[key]-want[key]) > 1e-6*max(1, math.Abs(want[key])) {
				return false
			}
		}
	}
	return true
}

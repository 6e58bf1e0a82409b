package analytics

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

const plays10 = `{"sat":%d,"sid":"s","mid":"vi1","pid":"p","ref":"https://a.example/","ver":"0.1.0","eve":[
	{"eat":1000,"typ":8,"vti":0,"pau":true},{"eat":1250,"typ":1,"vti":0,"pau":true},
	{"eat":1500,"typ":2,"vti":0,"pau":false},{"eat":11500,"typ":4,"vti":10,"pau":false}]}`

func TestWatchIsAcknowledgedAndAnswered(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.run()
		w := s.post("/watch", fmt.Sprintf(plays10, 12000))
		if w.Code != http.StatusNoContent || w.Header().Get("Content-Type") != "" || w.Body.Len() != 0 {
			t.Fatalf("got %d %v %q want 204 without a body and its type", w.Code, w.Header(), w.Body)
		}
		s.set(noon.Add(time.Second)) // what happened now is before now a second later
		for path, want := range map[string]float64{
			"play/count": 1, "start/count": 1, "impression/count": 1, "end/count": 0, "play/rate": 1, "play/total": 1,
			"watch-time/sum": 10, "watch-time/average": 10, "impression-time/sum": 500, "impression-time/average": 500,
			"ccv/live": 1, "ccv/peak": 1, "view/count": 1,
		} {
			if got := s.number("/data/metrics/" + path); got != want {
				t.Errorf("%s: got %v want %v", path, got, want)
			}
		}
	})
}

func TestNobodyIsThereInTheFuture(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.run()
		s.post("/watch", fmt.Sprintf(plays10, 12000))
		s.set(noon.Add(time.Second))
		frame := "?from=" + noon.Format(time.RFC3339) + "&to=" + noon.Add(time.Hour).Format(time.RFC3339)
		for _, path := range []string{"ccv/average", "ccv/peak"} {
			if got := s.number("/data/metrics/" + path + frame); got != 1 {
				t.Errorf("%s: got %v want one person", path, got)
			}
		}
	})
}

func TestEventIsAtMostAnHourOldWhateverItsClockSays(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.run()
		s.post("/watch", fmt.Sprintf(plays10, 1<<47)) // some thousand years later
		for frame, want := range map[string]float64{
			"?from=" + noon.Add(-2*time.Hour).Format(time.RFC3339):                        1,
			"?to=2300-01-01T00:00:00Z&from=" + noon.Add(time.Second).Format(time.RFC3339): 0,
		} {
			if got := s.number("/data/metrics/play/count" + frame); got != want {
				t.Errorf("%s: got %v plays want %v", frame, got, want)
			}
		}
	})
}

func TestFirstVersionOfEvents(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.run()
		session := func(body string) string {
			t.Helper()
			w := s.post("/vod", body)
			var answer struct{ Session string }
			if err := json.Unmarshal(w.Body.Bytes(), &answer); w.Code != http.StatusOK || err != nil || !isID(answer.Session) {
				t.Fatalf("got %d %q want a session", w.Code, w.Body)
			}
			return answer.Session
		}
		const first = `{"emitted_at":"2020-01-01T00:00:10.000Z","session":{"loaded_at":"2020-01-01T00:00:00.000Z","video_id":"vi1","referrer":"","metadata":[{"a":"b"}]},
			"events":[{"emitted_at":"2020-01-01T00:00:01.000Z","type":"ready","at":0},{"emitted_at":"2020-01-01T00:00:02.000Z","type":"play","at":0}]}`
		id := session(first)
		if again := session(first); again != id {
			t.Errorf("got %s want %s: the same batch, whose answer got lost", again, id)
		}
		s.set(noon.Add(10 * time.Second))
		if next := session(`{"emitted_at":"2020-01-01T00:00:20.000Z","session":{"session_id":"` + id + `","loaded_at":"2020-01-01T00:00:00.000Z","video_id":"vi1"},"events":[
			{"emitted_at":"2020-01-01T00:00:12.000Z","type":"seek.forward","from":10,"to":100},
			{"emitted_at":"2020-01-01T00:00:15.000Z","type":"pause","at":103},{"emitted_at":"2020-01-01T00:00:16.000Z","type":"resume","at":103},
			{"emitted_at":"2020-01-01T00:00:18.000Z","type":"end","at":105}]}`); next != id {
			t.Errorf("got %s want %s", next, id)
		}
		s.set(noon.Add(11 * time.Second))
		for path, want := range map[string]float64{"play/count": 1, "impression/count": 1, "end/count": 1, "watch-time/sum": 15, "ccv/peak": 1} {
			if got := s.number("/data/metrics/" + path); got != want {
				t.Errorf("%s: got %v want %v", path, got, want)
			}
		}
		if w := s.post("/live", `{"emitted_at":"2020-01-01T00:00:20.000Z","session":{"live_stream_id":"li1"},"events":[]}`); w.Code != http.StatusOK {
			t.Errorf("got %d %q want a live stream without events taken", w.Code, w.Body)
		}
		if got := s.number("/data/metrics/ccv/live?filterBy[mediaType]=live-stream"); got != 1 {
			t.Errorf("got %v watching the live stream want 1", got)
		}
	})
}

func TestBadBatches(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.run()
		watch := func(fields string) string {
			return `{"sat":12000,"sid":"s","mid":"vi1","pid":"hostile",` + fields + `}`
		}
		event := func(fields string) string { return watch(`"eve":[{` + fields + `}]`) }
		cases := []struct {
			name, path, body string
			want             int
		}{
			{"nothing", "/watch", "", 400},
			{"no JSON", "/watch", "sat=1", 400},
			{"a list", "/watch", "[]", 400},
			{"null", "/watch", "null", 400},
			{"too large", "/watch", watch(`"ref":"` + strings.Repeat("x", maxBody) + `"`), 400},
			{"deep", "/watch", strings.Repeat(`{"eve":[`, 6000), 400},
			{"without a time", "/watch", `{"sid":"s","mid":"vi1","pid":"p","eve":[]}`, 400},
			{"a negative time", "/watch", `{"sat":-1,"sid":"s","mid":"vi1","pid":"p","eve":[]}`, 400},
			{"an endless time", "/watch", `{"sat":1e400,"sid":"s","mid":"vi1","pid":"p","eve":[]}`, 400},
			{"without a media", "/watch", `{"sat":1,"sid":"s","pid":"p","eve":[]}`, 400},
			{"a media with a zero byte", "/watch", `{"sat":1,"sid":"s","mid":"vi\u0000","pid":"p","eve":[]}`, 400},
			{"a long id", "/watch", `{"sat":1,"sid":"s","mid":"vi1","pid":"` + strings.Repeat("p", 65) + `","eve":[]}`, 400},
			{"without a session", "/watch", `{"sat":1,"mid":"vi1","pid":"p","eve":[]}`, 400},
			{"events of a wrong type", "/watch", watch(`"eve":{}`), 400},
			{"an event of a wrong type", "/watch", watch(`"eve":[7]`), 400},
			{"NaN", "/watch", event(`"eat":NaN,"typ":2`), 400},
			{"too many events", "/watch", watch(`"eve":[` + strings.TrimSuffix(strings.Repeat("{},", 501), ",") + `]`), 400},
			{"no events", "/watch", watch(`"eve":[]`), 204},
			{"an unknown kind", "/watch", event(`"eat":1000,"typ":9`), 204},
			{"half a kind", "/watch", event(`"eat":1000,"typ":2.5`), 204},
			{"our own kind", "/watch", event(`"eat":1000,"typ":0`), 204},
			{"a negative kind", "/watch", event(`"eat":1000,"typ":-2`), 204},
			{"a negative position", "/watch", event(`"eat":1000,"typ":2,"vti":-5`), 204},
			{"a position beyond all films", "/watch", event(`"eat":1000,"typ":2,"vti":1e300`), 204},
			{"a clock beyond all times", "/watch", event(`"eat":1e300,"typ":2`), 204},
			{"an unknown media", "/watch", `{"sat":12000,"sid":"s","mid":"viNobody","pid":"p","eve":[{"eat":1000,"typ":2}]}`, 204},
			{"a referrer with a zero byte", "/watch", `{"sat":12000,"sid":"s","mid":"vi9","pid":"p","ref":"a\u0000\ud800b","eve":[{"eat":1000,"typ":2}]}`, 204},
			{"a long referrer", "/watch", `{"sat":12000,"sid":"s","mid":"vi9","pid":"q","ref":"` + strings.Repeat("é", 3000) + `","eve":[{"eat":1000,"typ":2}]}`, 204},
			{"first version, no JSON", "/vod", "x", 400},
			{"first version without a time", "/vod", `{"session":{"video_id":"vi1"},"events":[]}`, 400},
			{"first version without a media", "/vod", `{"emitted_at":"2020-01-01T00:00:10Z","session":{"live_stream_id":"li1"},"events":[]}`, 400},
			{"first version with a bad session", "/vod", `{"emitted_at":"2020-01-01T00:00:10Z","session":{"video_id":"vi1","session_id":"a b"},"events":[]}`, 400},
			{"first version with a bad type", "/live", `{"emitted_at":"2020-01-01T00:00:10Z","session":{"live_stream_id":7},"events":[]}`, 400},
			{"first version, unknown media", "/vod", `{"emitted_at":"2020-01-01T00:00:10Z","session":{"video_id":"viNobody"},"events":[]}`, 200},
		}
		for _, c := range cases {
			if w := s.post(c.path, c.body); w.Code != c.want {
				t.Errorf("%s: got %d %s want %d", c.name, w.Code, w.Body, c.want)
			}
		}
		s.set(noon.Add(time.Second))
		if got := s.number("/data/metrics/play/count"); got != 0 {
			t.Errorf("got %v plays want none of these", got)
		}
	})
}

func TestTooManyBatchesAreRefused(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	for range maxWaiting { // nobody writes them
		s.recorder.waiting <- &entry{done: make(chan error, 1)}
	}
	if w := s.post("/watch", fmt.Sprintf(plays10, 12000)); w.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d %s want 503", w.Code, w.Body)
	}
}

func TestBatchesAfterTheEndAreRefused(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	close(s.recorder.closed)
	if w := s.post("/watch", fmt.Sprintf(plays10, 12000)); w.Code != http.StatusServiceUnavailable {
		t.Errorf("got %d %s want 503", w.Code, w.Body)
	}
}

// TestProcessesThatMeetANewPlaybackTogether: each of them is told half of it.
func TestProcessesThatMeetANewPlaybackTogether(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		const processes, playbacks = 4, 10
		var all sync.WaitGroup
		for i := range processes {
			other := newStand(t, s.db)
			all.Go(func() {
				for n := range playbacks {
					p := &told{media: "vi1", pid: fmt.Sprint(n), sid: fmt.Sprint(n), address: "10.0.0.1", agent: chrome}
					event := toldEvent{at: noon.Add(time.Duration(i) * time.Second), kind: play, position: float64(i)}
					other.write(received{p.body([]toldEvent{event}, event.at), p.address, p.agent, event.at})
				}
			})
		}
		all.Wait()
		s.set(noon.Add(time.Minute))
		for path, want := range map[string]float64{"play/count": playbacks, "play/total": playbacks, "watch-time/sum": playbacks * (processes - 1), "ccv/peak": playbacks} {
			if got := s.number("/data/metrics/" + path); got != want {
				t.Errorf("%s: got %v want %v", path, got, want)
			}
		}
	})
}

func TestNothingOfAPersonIsKept(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	s.run()
	if w := s.post("/watch", fmt.Sprintf(plays10, 12000)); w.Code != http.StatusNoContent {
		t.Fatalf("got %d", w.Code)
	}
	for _, table := range []string{"analytics_audiences", "analytics_playbacks", "analytics_hours", "analytics_days", "analytics_stretches", "analytics_totals", "analytics_keys"} {
		rows, err := s.db.Query(t.Context(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		names, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			cells := make([]any, len(names))
			for i := range cells {
				cells[i] = new(string)
			}
			if err := rows.Scan(cells...); err != nil {
				t.Fatal(err)
			}
			for i := range cells {
				if text := *cells[i].(*string); strings.Contains(text, "10.1.2.3") || strings.Contains(text, "Mozilla") {
					t.Errorf("got %q in %s.%s want nothing of address and user agent", text, table, names[i])
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

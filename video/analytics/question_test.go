package analytics

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

// plant stores a playback of ten watched seconds that was played at a time.
func (s *stand) plant(media, name string, played time.Time) {
	s.t.Helper()
	p := &told{media: media, pid: name, sid: name, address: "10.0.0.1", agent: chrome, referrer: "https://a.example/"}
	p.events = []toldEvent{{played, loaded, 0, true}, {played, play, 0, false}, {played.Add(10 * time.Second), timeUpdate, 10, false}}
	s.write(received{p.body(p.events, played.Add(10*time.Second)), p.address, p.agent, played.Add(10 * time.Second)})
}

func TestQuestionsThatAreRefused(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		month := url.QueryEscape(noon.Add(-31 * 24 * time.Hour).Format(atom))
		hours := url.QueryEscape(noon.Add(-2 * time.Hour).Format(atom))
		cases := []struct {
			path string
			want int
			name string
		}{
			{"/data/metrics/likes/count", 404, ""},
			{"/data/metrics/play/sum", 404, ""},
			{"/data/metrics/watch-time/count", 404, ""},
			{"/data/buckets/play/colour", 404, ""},
			{"/data/buckets/likes/country", 404, ""},
			{"/data/buckets/watch-time/country", 404, ""},
			{"/data/buckets/play-total/country", 404, ""},
			{"/data/timeseries/play-total", 404, ""},
			{"/data/metrics/play/count?from=yesterday", 400, "from"},
			{"/data/metrics/play/count?from=2026-03-30", 400, "from"},
			{"/data/metrics/play/count?from=" + month, 400, "from"},
			{"/data/metrics/play/count?from=9999-12-31T23:59:59Z", 400, "from"},
			{"/data/metrics/play/count?to=soon", 400, "to"},
			{"/data/metrics/play/count?unique=true", 400, "unique"},
			{"/data/metrics/view/count?unique=perhaps", 400, "unique"},
			{"/data/metrics/play/count?viewDuration=5s", 400, "viewDuration"},
			{"/data/metrics/ccv/peak?viewDuration=5s", 400, "viewDuration"},
			{"/data/metrics/view/count?viewDuration=4s", 400, "viewDuration"},
			{"/data/timeseries/play?interval=week", 400, "interval"},
			{"/data/timeseries/play?interval=minute", 400, "interval"},
			{"/data/timeseries/play?interval=minute&from=" + hours, 400, "interval"},
			{"/data/timeseries/play?to=9000-01-01T00:00:00Z&from=" + hours, 400, "to"},
			{"/data/timeseries/play?sortBy=dimensionValue", 400, "sortBy"},
			{"/data/buckets/play/country?sortBy=emittedAt", 400, "sortBy"},
			{"/data/buckets/play/country?sortOrder=up", 400, "sortOrder"},
			{"/data/buckets/play/country?pageSize=101", 400, "pageSize"},
			{"/data/buckets/play/country?currentPage=0", 400, "currentPage"},
			{"/data/metrics/play/count?filterBy[colour]=red", 400, "filterBy[colour]"},
			{"/data/metrics/play/count?filterBy=red", 400, "filterBy"},
			{"/data/metrics/play/count?filterBy[country][x]=FR", 400, "filterBy[country][x]"},
			{"/data/metrics/play/count?filterBy[country]=France", 400, "filterBy[country]"},
			{"/data/metrics/play/count?filterBy[country][0]=fr", 400, "filterBy[country]"},
			{"/data/metrics/play/count?filterBy[continent]=OC", 400, "filterBy[continent]"},
			{"/data/metrics/play/count?filterBy[mediaType]=film", 400, "filterBy[mediaType]"},
			{"/data/metrics/play/count?filterBy[deviceType]=toaster", 400, "filterBy[deviceType]"},
			{"/data/metrics/play/count?filterBy[browser]=%00", 400, "filterBy[browser]"},
			{"/data/metrics/play/count?filterBy[tag]=%ff", 400, "filterBy[tag]"},
			{"/data/metrics/play/count?filterBy[referrer]=" + strings.Repeat("x", 2049), 400, "filterBy[referrer]"},
			{"/data/metrics/play/count?" + strings.Repeat("filterBy[mediaId]=v&", 501), 400, "filterBy[mediaId]"},
			{"/data/metrics/play/total?filterBy[country]=FR", 400, "filterBy[country]"},
			{"/data/buckets/play-total/media-id?filterBy[tag]=x", 400, "filterBy[tag]"},
			{"/analytics/videos/plays?dimension=country", 400, "from"},
			{"/analytics/videos/plays?from=soon&dimension=country", 400, "from"},
			{"/analytics/videos/plays?from=2026-01-01&dimension=country", 400, "from"},
			{"/analytics/videos/plays?from=2026-03-30", 400, "dimension"},
			{"/analytics/videos/plays?from=2026-03-30&dimension=liveStreamId", 400, "dimension"},
			{"/analytics/live-streams/plays?from=2026-03-30&dimension=videoId", 400, "dimension"},
			{"/analytics/videos/plays?from=2026-03-30&dimension=country&filter=liveStreamId:li1", 400, "filter"},
			{"/analytics/videos/plays?from=2026-03-30&dimension=country&filter=videoId:%00", 400, "filter"},
		}
		for _, c := range cases {
			status, answer := s.get(c.path)
			name, _ := answer["name"].(string)
			if status != c.want || name != c.name || answer["status"] != float64(status) {
				t.Errorf("GET %.90s: got %d %v want %d naming %q", c.path, status, answer, c.want, c.name)
			}
			kind := map[int]string{404: "unrecognized-request-url", 400: "request-invalid-query-parameter"}[c.want]
			if text, _ := answer["type"].(string); !strings.HasSuffix(text, "/"+kind) || c.want == 400 && answer["detail"] == "" {
				t.Errorf("GET %.90s: got %v want the type %s and a detail", c.path, answer, kind)
			}
		}
	})
}

func TestTheSameQuestionIsRefusedInTheSameWords(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	for range 30 {
		_, answer := s.get("/analytics/videos/plays?from=soon&to=later&dimension=country")
		if answer["name"] != "from" {
			t.Fatalf("got %v want from, which is the first that is wrong", answer)
		}
	}
}

func TestContextRepeatsTheQuestion(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	const frame = "from=2026-03-30T10:00:00%2B02:00&to=2026-03-30T09:30:00%2B00:00"
	for path, want := range map[string]string{
		"metrics/play/rate?":                             "metric:play aggregation:rate",
		"metrics/ccv/live?unique=true&":                  "metric:unique-ccv aggregation:live",
		"metrics/view/count?":                            "metric:view-5 aggregation:count",
		"metrics/view/count?viewDuration=30s&":           "metric:view-30 aggregation:count",
		"metrics/view/count?unique=true&":                "metric:unique-view aggregation:count",
		"metrics/view/count?unique=false&":               "metric:view-5 aggregation:count",
		"buckets/view/country?unique=1&viewDuration=3s&": "metric:unique-view-3 breakdown:country",
		"buckets/ccv-peak/browser?unique=true&":          "metric:unique-ccv-peak breakdown:browser",
		"buckets/play-rate/referrer?":                    "metric:play-rate breakdown:referrer",
		"timeseries/ccv-average?":                        "metric:ccv-average interval:hour",
		"timeseries/end?interval=day&":                   "metric:end interval:day",
	} {
		_, answer := s.get("/data/" + path + frame)
		about, _ := answer["context"].(map[string]any)
		frame, _ := about["timeframe"].(map[string]any)
		delete(about, "timeframe")
		for word := range strings.FieldsSeq(want) {
			name, value, _ := strings.Cut(word, ":")
			if about[name] != value || len(about) != 2 {
				t.Errorf("GET %s: got %v want %s", path, answer, want)
			}
		}
		if frame["from"] != "2026-03-30T08:00:00+00:00" || frame["to"] != "2026-03-30T09:30:00+00:00" {
			t.Errorf("GET %s: got %v want the times in UTC", path, frame)
		}
	}
}

func TestTimeframes(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		at := func(d time.Duration) string { return url.QueryEscape(noon.Add(d).Format(atom)) }
		s.plant("vi1", "old", noon.Add(-40*time.Hour))
		s.plant("vi1", "new", noon.Add(-time.Hour))
		for query, want := range map[string]float64{
			"":                                    1,
			"?to=" + at(-time.Hour):               0, // to is excluded
			"?from=" + at(-time.Hour):             1, // from is not
			"?from=" + at(-time.Hour+time.Second): 0,
			"?to=" + at(-time.Hour+time.Second):   1,
			"?to=" + at(-20*time.Hour):            1, // a day before that
			"?from=" + at(-48*time.Hour):          2,
			"?from=" + at(-30*24*time.Hour):       2,
			"?from=" + noon.Add(-48*time.Hour).Format("2006-01-02T15:04:05+00:00"): 2, // a + that is not encoded
		} {
			if got := s.number("/data/metrics/play/count" + query); got != want {
				t.Errorf("%s: got %v want %v", query, got, want)
			}
		}
		for query, want := range map[string]int{"": 25, "?from=" + at(-48*time.Hour): 49, "?from=" + at(-49*time.Hour): 3, "?interval=minute&from=" + at(-59*time.Minute): 59} {
			_, answer := s.get("/data/timeseries/play" + query)
			if got := int(answer["pagination"].(map[string]any)["itemsTotal"].(float64)); got != want && got != want+1 {
				t.Errorf("%s: got %d intervals want %d, or one more", query, got, want)
			}
		}
	})
}

func TestListsAreSortedAndCut(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	for media, n := range map[string]int{"vi1": 2, "vi2": 3, "vi3": 2} {
		for i := range n {
			s.plant(media, fmt.Sprint(media, i), noon.Add(-time.Duration(i+1)*time.Hour))
		}
	}
	for query, want := range map[string]string{
		"":                                      "vi2=3 vi1=2 vi3=2",
		"?sortBy=metricValue":                   "vi1=2 vi3=2 vi2=3",
		"?sortBy=dimensionValue":                "vi1=2 vi2=3 vi3=2",
		"?sortBy=dimensionValue&sortOrder=desc": "vi3=2 vi2=3 vi1=2",
		"?pageSize=2":                           "vi2=3 vi1=2",
		"?pageSize=2&currentPage=2":             "vi3=2",
		"?pageSize=2&currentPage=9":             "",
		"?pageSize=2&currentPage=2147483647":    "",
	} {
		_, answer := s.get("/data/buckets/play/media-id" + query)
		var got []string
		for _, item := range answer["data"].([]any) {
			got = append(got, fmt.Sprintf("%v=%v", item.(map[string]any)["dimensionValue"], item.(map[string]any)["metricValue"]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v want %s", query, got, want)
		}
	}
	_, answer := s.get("/data/timeseries/play?sortBy=metricValue&sortOrder=desc&pageSize=1")
	if got := answer["data"].([]any)[0].(map[string]any); got["metricValue"] != 3.0 || got["emittedAt"] != "2026-03-30T10:00:00+00:00" && got["emittedAt"] != "2026-03-30T11:00:00+00:00" {
		t.Errorf("got %v want the first hour with three plays", got)
	}
}

func TestOldPlays(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.plant("vi1", "a", noon.Add(-time.Hour))
		s.plant("vi1", "b", noon.Add(-30*time.Hour))
		s.plant("vi2", "c", noon.Add(-time.Hour))
		s.plant("li1", "d", noon.Add(-time.Hour))
		for query, want := range map[string]string{
			"videos/plays?from=2026-03-29&dimension=videoId":                          "vi1=2 vi2=1",
			"videos/plays?from=2026-03-30&dimension=videoId":                          "vi1=1 vi2=1",
			"videos/plays?from=2026-03-28&to=2026-03-30&dimension=videoId":            "vi1=1",
			"videos/plays?from=2026-03-29&dimension=videoId&filter=videoId:vi2":       "vi2=1",
			"videos/plays?from=2026-03-29&dimension=videoId&pageSize=1&currentPage=2": "vi2=1",
			"videos/plays?from=2026-03-29&dimension=country":                          "FR=3",
			"videos/plays?from=2026-03-29&dimension=deviceType":                       "computer=3",
			"videos/plays?from=2026-03-29&dimension=operatingSystem":                  "windows=3",
			"videos/plays?from=2026-03-29&dimension=browser":                          "chrome=3",
			"videos/plays?from=2026-03-28&dimension=emittedAt":                        "2026-03-29T00:00:00+00:00=1 2026-03-30T00:00:00+00:00=2",
			"videos/plays?from=2026-02-28&dimension=browser":                          "chrome=3",
			"live-streams/plays?from=2026-03-29&dimension=liveStreamId":               "li1=1",
		} {
			status, answer := s.get("/analytics/" + query)
			var got []string
			items, _ := answer["data"].([]any)
			for _, item := range items {
				got = append(got, fmt.Sprintf("%v=%v", item.(map[string]any)["value"], item.(map[string]any)["plays"]))
			}
			if status != http.StatusOK || strings.Join(got, " ") != want || answer["pagination"] == nil {
				t.Errorf("%s: got %d %v %v want %s", query, status, got, answer, want)
			}
		}
	})
}

func TestWhatIsTooOldGoesAndTheTotalStays(t *testing.T) {
	each(t, func(t *testing.T, s *stand) {
		s.plant("vi1", "old", noon.Add(-26*time.Hour))
		s.plant("vi1", "new", noon.Add(-time.Hour))
		s.plant("vi2", "gone", noon.Add(-80*time.Hour))
		s.Retention = 24 * time.Hour
		if err := s.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for table, want := range map[string]int{"analytics_playbacks": 1, "analytics_hours": 1, "analytics_days": 2, "analytics_stretches": 1, "analytics_totals": 2, "analytics_audiences": 1, "analytics_keys": 1} {
			var got int
			if err := s.db.QueryRow(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&got); err != nil || got != want {
				t.Errorf("%s: got %d rows, %v want %d", table, got, err, want)
			}
		}
		if got := s.number("/data/metrics/play/count?from=" + url.QueryEscape(noon.Add(-29*24*time.Hour).Format(atom))); got != 1 {
			t.Errorf("got %v plays want 1", got)
		}
		for query, want := range map[string]float64{"": 3, "?filterBy[mediaId]=vi1": 2, "?filterBy[mediaType]=live-stream": 0, "?from=never&to=ever": 3} {
			if got := s.number("/data/metrics/play/total" + query); got != want {
				t.Errorf("total %s: got %v want %v", query, got, want)
			}
		}
		if got := s.figures("/data/buckets/play-total/media-id"); got["vi1"] != 2 || got["vi2"] != 1 {
			t.Errorf("got %v want the totals of both", got)
		}
		s.set(noon.Add(40 * 24 * time.Hour))
		if err := s.sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"analytics_playbacks", "analytics_hours", "analytics_days", "analytics_stretches", "analytics_audiences", "analytics_keys"} {
			var got int
			if err := s.db.QueryRow(t.Context(), "SELECT COUNT(*) FROM "+table).Scan(&got); err != nil || got != 0 {
				t.Errorf("%s: got %d rows, %v want none", table, got, err)
			}
		}
	})
}

func TestUniqueViewersOfADay(t *testing.T) {
	t.Parallel()
	s := onSQLite(t)
	for i, played := range []time.Duration{-time.Hour, -2 * time.Hour, -13 * time.Hour, -14 * time.Hour} { // two of them yesterday
		s.plant("vi1", fmt.Sprint(i), noon.Add(played))
	}
	if views, people := s.number("/data/metrics/view/count"), s.number("/data/metrics/view/count?unique=true"); views != 4 || people != 2 {
		t.Errorf("got %v views of %v want 4 of 2: one viewer on each day", views, people)
	}
}

func TestManyDistinctViewersAreEstimated(t *testing.T) {
	t.Parallel()
	var d distinct
	for viewer := range int64(5 * exactUpTo) {
		d.add(viewer)
		d.add(viewer)
		if viewer+1 == exactUpTo && d.count() != exactUpTo {
			t.Errorf("got %v want exactly %d", d.count(), exactUpTo)
		}
	}
	if got := d.count() / (5 * exactUpTo); got < 0.95 || got > 1.05 {
		t.Errorf("got %v of the viewers want about all of them", got)
	}
}

func TestAgents(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"": "unknown/unknown/unknown", chrome: "computer/windows/chrome", iphone: "phone/ios/safari", linux: "computer/linux/firefox",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15":          "computer/mac osx/safari",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0":  "computer/windows/edge",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0.0.0 Safari/537.36 OPR/111.0.0.0":  "computer/windows/opera",
		"Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36":          "phone/android/chrome",
		"Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1": "tablet/ios/safari",
		"Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) AppleWebKit/537.36 (KHTML, like Gecko) 76.0.3809.146/6.0 TV Safari/537.36":             "tv/unknown/unknown",
		"Mozilla/5.0 (PlayStation; PlayStation 5/6.50) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.4 Safari/605.1.15":            "console/unknown/safari",
		strings.Repeat("Invented/1 ", 500) + "\xff\x00": "unknown/unknown/unknown",
	} {
		device, system, browser := readAgent(agent)
		if got := device + "/" + system + "/" + browser; got != want {
			t.Errorf("%.80q: got %s want %s", agent, got, want)
		}
	}
}

func TestWithoutADatabaseCountriesAreUnknown(t *testing.T) {
	t.Parallel()
	places, err := openAtlas("")
	if err != nil {
		t.Fatal(err)
	}
	if continent, country := places.find(netip.MustParseAddr("10.0.0.1")); continent != unknown || country != unknown {
		t.Errorf("got %s %s want unknown", continent, country)
	}
	if _, err := openAtlas("stand_test.go"); err == nil {
		t.Error("got no error want one for a file that is none of MaxMind's")
	}
}

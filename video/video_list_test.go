package video_test

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stoa/internal/db"
)

// titles is the titles of a list, in its order.
func (s *site) titles(path string) []string {
	s.t.Helper()
	titles := []string{}
	for _, v := range s.call("GET", path, nil).want(200)["data"].([]any) {
		titles = append(titles, v.(object)["title"].(string))
	}
	return titles
}

// A text may be almost what is looked for, at each of its characters.
func TestALongFilterIsQuick(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for range 40 {
			s.newVideo("like", object{"description": strings.Repeat("a", 100_000)})
		}
		began := time.Now()
		if got := s.titles("/videos?description=" + strings.Repeat("a", 1999) + "b"); len(got) > 0 {
			t.Errorf("got %q want none", got)
		}
		if took := time.Since(began); took > 15*time.Second { // it is some tenths of a second, or half a minute
			t.Errorf("got %v want far less", took)
		}
	})
}

func TestFiltersOfVideos(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		s.newVideo("Über 100%", object{"tags": []string{"a", "b"}, "metadata": []object{{"key": "k[x]", "value": "1"}}})
		s.newVideo("under_score", object{"description": "Große\nSTADT", "tags": []string{"a"}})
		s.newVideo(`back\slash`, object{"tags": []string{"A"}, "metadata": []object{{"key": "k[x]", "value": "1"}, {"key": "l", "value": ""}}})
		exec(t, d, `UPDATE videos SET live_stream_id = 'liX' WHERE title_key = 'under_score'`)
		for query, want := range map[string][]string{
			"title=ÜBER":                           {"Über 100%"},
			"title=%25":                            {"Über 100%"},
			"title=_":                              {"under_score"},
			`title=%5C`:                            {`back\slash`},
			"title=" + strings.Repeat("%25", 2000): {},
			"title=" + strings.Repeat("ΐ", 2000):   {},
			"title=1_0":                            {},
			"title=":                               {`back\slash`, "under_score", "Über 100%"},
			"description=stadt":                    {"under_score"},
			"description=GROSSE":                   {"under_score"},
			"description=x":                        {},
			"tags[]=a":                             {"under_score", "Über 100%"},
			"tags[]=a&tags[]=b":                    {"Über 100%"},
			"tags%5B%5D=b":                         {"Über 100%"},
			"tags=a&tags[1]=b":                     {"Über 100%"},
			"tags[]=":                              {`back\slash`, "under_score", "Über 100%"},
			"tags[]=A":                             {`back\slash`},
			"metadata[k[x]]=1":                     {`back\slash`, "Über 100%"},
			"metadata[k[x]]=1&metadata[l]=":        {`back\slash`},
			"metadata[k[x]]=1&metadata[k[x]]=2":    {},
			"metadata[l]=1":                        {},
			"liveStreamId=liX":                     {"under_score"},
			"liveStreamId=li":                      {},
			"title=e&tags[]=a&sortBy=title":        {"under_score", "Über 100%"},
			"sortBy=title":                         {`back\slash`, "under_score", "Über 100%"},
			"sortBy=title&sortOrder=desc":          {"Über 100%", "under_score", `back\slash`},
			"sortOrder=asc":                        {"Über 100%", "under_score", `back\slash`},
			"unknown=1&pageSize=1":                 {`back\slash`},
			"currentPage=4&pageSize=1":             {},
			"currentPage=2147483647&pageSize=100":  {},
			"currentPage=2&pageSize=2&sortOrder=":  nil,
			"sortBy=views":                         nil,
			"pageSize=101":                         nil,
			"tags[]=a;":                            {},
			"title=;&tags[]=a":                     {},
			"title=100%":                           nil,
			"tags[]=%zz":                           nil,
			"title=%00":                            nil,
			"title=%ff":                            nil,
			"description=" + strings.Repeat("x", 2001): nil,
			"tags[]=%00":                          nil,
			"metadata=1":                          nil,
			"metadata[]=1":                        nil,
			"metadata[a=1":                        nil,
			"metadata[%00]=1":                     nil,
			"metadata[a]=%ff":                     nil,
			"liveStreamId=%00":                    nil,
			strings.Repeat("tags[]=a&", 101):      nil,
			strings.Repeat("metadata[a]=a&", 101): nil,
		} {
			if want == nil {
				name, _, _ := strings.Cut(query, "=")
				if strings.HasPrefix(name, "metadata") {
					name = "metadata"
				}
				if strings.HasSuffix(query, "sortOrder=") {
					name = "sortOrder"
				}
				s.call("GET", "/videos?"+query, nil).refused(400, "request-invalid-query-parameter", name)
				s.call("GET", "/discarded/videos?"+query, nil).refused(400, "request-invalid-query-parameter", name)
				continue
			}
			if got := s.titles("/videos?" + query); !slices.Equal(got, want) {
				t.Errorf("%s: got %q want %q", query, got, want)
			}
		}
	})
}

func TestLongTitlesHaveAPlaceInTheList(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var random strings.Builder // so that no database can press it into less
		for i := range 1000 {
			random.WriteRune(rune(0x10000 + i*i*7919%0x8000))
		}
		s.newVideo(random.String())
		s.newVideo("a")
		if got := s.titles("/videos?sortBy=title"); len(got) != 2 || got[0] != "a" {
			t.Errorf("got %q want a first", got)
		}
	})
}

// listed is a video as the model of lists knows it.
type listed struct {
	id, title, description string
	tags                   []string
	metadata               map[string]string
	created, updated       int64
}

// question is a list that is asked for.
type question struct {
	title, description string
	tags               []string
	metadata           map[string]string
	sortBy, sortOrder  string
	page, size         int
}

func (q question) has(v listed) bool {
	for _, tag := range q.tags {
		if !slices.Contains(v.tags, tag) {
			return false
		}
	}
	for key, value := range q.metadata {
		if had, there := v.metadata[key]; !there || had != value {
			return false
		}
	}
	return strings.Contains(strings.ToLower(v.title), strings.ToLower(q.title)) &&
		strings.Contains(strings.ToLower(v.description), strings.ToLower(q.description))
}

// answer is the ids of the whole list.
func (q question) answer(videos []listed) []string {
	found := slices.DeleteFunc(slices.Clone(videos), func(v listed) bool { return !q.has(v) })
	by, down := q.sortBy, q.sortOrder == "desc"
	if by == "" {
		by, down = "createdAt", q.sortOrder != "asc"
	}
	slices.SortFunc(found, func(a, b listed) int {
		order := map[string]int{
			"title":     strings.Compare(strings.ToLower(a.title), strings.ToLower(b.title)),
			"createdAt": cmp.Compare(a.created, b.created), "publishedAt": cmp.Compare(a.created, b.created),
			"updatedAt": cmp.Compare(a.updated, b.updated),
		}[by]
		order = cmp.Or(order, strings.Compare(a.id, b.id))
		if down {
			return -order
		}
		return order
	})
	ids := make([]string, len(found))
	for i, v := range found {
		ids[i] = v.id
	}
	return ids
}

func (q question) query() string {
	values := url.Values{"currentPage": {strconv.Itoa(q.page)}, "pageSize": {strconv.Itoa(q.size)}, "tags[]": q.tags}
	for name, value := range map[string]string{"title": q.title, "description": q.description, "sortBy": q.sortBy, "sortOrder": q.sortOrder} {
		if value != "" {
			values.Set(name, value)
		}
	}
	for key, value := range q.metadata {
		values.Set("metadata["+key+"]", value)
	}
	return "/videos?" + values.Encode()
}

var questions = rapid.Custom(func(t *rapid.T) question {
	word := rapid.SampledFrom([]string{"", "", "a", "É", "é", "%", "_", "ab", `\`, "B "})
	return question{
		title: word.Draw(t, "title"), description: word.Draw(t, "description"),
		tags:      rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "X"}), 0, 2, rapid.ID[string]).Draw(t, "tags"),
		metadata:  rapid.MapOfN(rapid.SampledFrom([]string{"k", "l"}), rapid.SampledFrom([]string{"1", "2"}), 0, 1).Draw(t, "metadata"),
		sortBy:    rapid.SampledFrom([]string{"", "title", "createdAt", "publishedAt", "updatedAt"}).Draw(t, "sortBy"),
		sortOrder: rapid.SampledFrom([]string{"", "asc", "desc"}).Draw(t, "sortOrder"),
		page:      rapid.IntRange(1, 6).Draw(t, "page"), size: rapid.SampledFrom([]int{1, 3, 7, 25, 100}).Draw(t, "size"),
	}
})

// plantListed makes videos with words that often meet, some of them of the same moment.
func plantListed(s *site, d *db.DB, n int) (videos []listed) {
	words := []string{"a", "É", "%", "_", "ab", "AB", `\`, " ", "é", "b"}
	for i := range n {
		v := listed{
			title: words[i%10] + words[i/3%10] + words[i*7%10], description: words[i*3%10] + words[i/10%10],
			tags: [][]string{nil, {"x"}, {"y", "x"}, {"X"}, {"x", "X", "y"}}[i%5], metadata: []map[string]string{{}, {"k": "1"}, {"l": "2", "k": "2"}}[i%3],
			created: int64(1_000_000 * (1 + i*5%9)), updated: int64(1_000_000 * (1 + i*3%7)),
		}
		pairs := []object{}
		for key, value := range v.metadata {
			pairs = append(pairs, object{"key": key, "value": value})
		}
		v.id = s.newVideo(v.title, object{"description": v.description, "tags": v.tags, "metadata": pairs})
		exec(s.t, d, `UPDATE videos SET created_at = $2, published_at = $2, updated_at = $3 WHERE id = $1`, v.id, v.created, v.updated)
		videos = append(videos, v)
	}
	return videos
}

func TestListsAreAsTheModelSays(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable)
		videos := plantListed(s, d, 40)
		for _, v := range videos[30:] { // some have gone, and one came back
			s.call("DELETE", "/videos/"+v.id, nil).want(204)
		}
		s.call("PATCH", "/discarded/videos/"+videos[30].id, object{"discarded": false}).want(200)
		exec(t, d, `UPDATE videos SET updated_at = $2 WHERE id = $1`, videos[30].id, videos[30].updated)
		videos = videos[:31]
		rapid.Check(t, func(t *rapid.T) {
			q := questions.Draw(t, "question")
			all := q.answer(videos)
			from, to := min(len(all), (q.page-1)*q.size), min(len(all), q.page*q.size)
			got := s.call("GET", q.query(), nil).want(200)
			ids := []string{}
			for _, v := range got["data"].([]any) {
				ids = append(ids, v.(object)["videoId"].(string))
			}
			if !slices.Equal(ids, all[from:to]) {
				t.Fatalf("got %v want %v of %v", ids, all[from:to], all)
			}
			p := got["pagination"].(object)
			want := []int{q.page, q.size, max(1, (len(all)+q.size-1)/q.size), len(all), to - from}
			if got := fmt.Sprint(p["currentPage"], p["pageSize"], p["pagesTotal"], p["itemsTotal"], p["currentPageItems"]); got != strings.Trim(fmt.Sprint(want), "[]") {
				t.Fatalf("got pagination %v want %v", got, want)
			}
		})
	})
}

func TestLinksOfAListKeepItsFilters(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		for range 3 {
			s.newVideo("x", object{"tags": []string{"a b"}})
		}
		got := s.call("GET", "/videos?tags[]=a+b&pageSize=1&currentPage=2", nil).want(200)["pagination"].(object)
		for i, rel := range []string{"self", "first", "previous", "next", "last"} {
			link := got["links"].([]any)[i].(object)
			want := fmt.Sprintf("/videos?currentPage=%d&pageSize=1&tags%%5B%%5D=a+b", []int{2, 1, 1, 3, 3}[i])
			if link["rel"] != rel || link["uri"] != want {
				t.Errorf("got %v want %s to %s", link, rel, want)
			}
		}
	})
}

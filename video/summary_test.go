package video_test

import (
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestSummariesAreWrittenByHand(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		m := s.call("POST", "/summaries", object{"videoId": id, "origin": nil}).want(201)
		for name, want := range map[string]any{"videoId": id, "origin": "api", "sourceStatus": "missing", "updatedAt": m["createdAt"]} {
			wantField(t, m, name, want)
		}
		path := "/summaries/" + m["summaryId"].(string)
		source := s.call("GET", path+"/source", nil).want(200)
		wantField(t, source, "abstract", "")
		wantField(t, source, "takeaways", []any{})

		s.call("PATCH", path+"/source", object{"abstract": "What it says", "takeaways": []string{"a", "b", "c"}}).want(201)
		source = s.call("PATCH", path+"/source", object{"abstract": "Better"}).want(201)
		wantField(t, source, "abstract", "Better")
		wantField(t, source, "takeaways", []any{"a", "b", "c"})
		source = s.call("PATCH", path+"/source", object{"takeaways": nil}).want(201)
		wantField(t, source, "takeaways", []any{})
		listed := s.call("GET", "/summaries", nil).want(200)["data"].([]any)[0].(object)
		wantField(t, listed, "sourceStatus", "completed")

		twice := s.call("POST", "/summaries", object{"videoId": id})
		twice.refused(409, "summary-already-exists", "videoId")
		if detail, _ := twice.want(409)["detail"].(string); detail == "" {
			t.Errorf("got %s want a detail that says what to do", twice.body)
		}
		s.call("DELETE", path, nil).want(204)
		s.call("DELETE", path, nil).refused(404, "resource-not-found", "summaryId")
		s.call("GET", path+"/source", nil).refused(404, "resource-not-found", "summaryId")
		s.call("POST", "/summaries", object{"videoId": id}).want(201)
	})
}

func TestWhatASummaryCannotBe(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		for _, bad := range []struct {
			body       object
			kind, name string
		}{
			{object{}, "attribute-required", "videoId"},
			{object{"videoId": nil}, "attribute-required", "videoId"},
			{object{"videoId": 5}, "invalid-attribute", "videoId"},
			{object{"videoId": ""}, "invalid-attribute", "videoId"},
			{object{"videoId": "\x00"}, "invalid-attribute", "videoId"},
			{object{"videoId": "vi" + strings.Repeat("0", 22)}, "invalid-attribute", "videoId"},
			{object{"videoId": id, "origin": "api"}, "invalid-attribute", "origin"},
			{object{"videoId": id, "attributes": []string{"title"}}, "invalid-attribute", "attributes"},
		} {
			s.call("POST", "/summaries", bad.body).refused(400, bad.kind, bad.name)
		}
		path := "/summaries/" + s.call("POST", "/summaries", object{"videoId": id}).want(201)["summaryId"].(string) + "/source"
		for _, bad := range []struct {
			name string
			body object
		}{
			{"abstract", object{"abstract": 5}},
			{"abstract", object{"abstract": "\x00"}},
			{"abstract", object{"abstract": strings.Repeat("x", 20_001)}},
			{"takeaways", object{"takeaways": "a"}},
			{"takeaways", object{"takeaways": []string{"a", "b", "c", "d"}}},
			{"takeaways[1]", object{"takeaways": []string{"a", ""}}},
		} {
			s.call("PATCH", path, bad.body).refused(400, "invalid-attribute", bad.name)
		}
		for _, takeaways := range []any{make([]string, 1000), []any{1, ""}} { // however many there are, they are not looked at
			got := problemNames(s.call("PATCH", path, object{"takeaways": takeaways}).want(400))
			if !slices.Equal(got, []string{"takeaways"}) {
				t.Errorf("got %d problems want one with the list", len(got))
			}
		}
		wantField(t, s.call("GET", "/summaries", nil).want(200)["data"].([]any)[0].(object), "sourceStatus", "missing")
	})
}

func TestListsOfSummaries(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var videos []string
		for range 3 {
			videos = append(videos, s.newVideo("x"))
		}
		slices.Sort(videos)
		second := s.call("POST", "/summaries", object{"videoId": videos[1], "origin": "auto", "attributes": []string{"abstract"}}).want(201)
		wantField(t, second, "sourceStatus", "unprocessable")
		first := s.call("POST", "/summaries", object{"videoId": videos[0]}).want(201)
		s.call("PATCH", "/summaries/"+first["summaryId"].(string)+"/source", object{"abstract": "x"}).want(201)
		s.call("POST", "/summaries", object{"videoId": videos[2]}).want(201)
		for query, want := range map[string][]int{
			"": {2, 0, 1}, "sortOrder=asc": {1, 0, 2}, "sortBy=videoId": {0, 1, 2}, "sortBy=videoId&sortOrder=desc": {2, 1, 0},
			"sortBy=updatedAt": {1, 0, 2}, "origin=auto": {1}, "origin=api": {2, 0}, "sourceStatus=completed": {0},
			"sourceStatus=waiting": nil, "videoId=" + videos[2]: {2}, "videoId=" + videos[2] + "&origin=auto": nil, "pageSize=1&currentPage=2": {0},
		} {
			var got []int
			for _, m := range s.call("GET", "/summaries?"+query, nil).want(200)["data"].([]any) {
				got = append(got, slices.Index(videos, m.(object)["videoId"].(string)))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: got %v want %v", query, got, want)
			}
		}
		for query, name := range map[string]string{
			"origin=hand": "origin", "sourceStatus=done": "sourceStatus", "videoId=%00": "videoId", "sortBy=title": "sortBy", "pageSize=0": "pageSize",
		} {
			s.call("GET", "/summaries?"+query, nil).refused(400, "request-invalid-query-parameter", name)
		}
	})
}

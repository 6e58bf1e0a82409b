package video_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestTagsAreCounted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, restorable)
		s.newVideo("one", object{"tags": []string{"Été", "b"}})
		changed := s.newVideo("two", object{"tags": []string{"b", "gone"}})
		discarded := s.newVideo("three", object{"tags": []string{"b", "gone"}})
		s.call("DELETE", "/videos/"+discarded, nil).want(204)
		s.call("PATCH", "/videos/"+changed, object{"tags": []string{"b", "50%"}}).want(200)
		for query, want := range map[string]string{
			"":                                 "50% 1, b 2, Été 1",
			"sortOrder=desc":                   "Été 1, b 2, 50% 1",
			"sortBy=videoCount":                "50% 1, Été 1, b 2",
			"sortBy=videoCount&sortOrder=desc": "b 2, 50% 1, Été 1",
			"value=ETE":                        "Été 1",
			"value=%C3%A9T":                    "Été 1",
			"value=%25":                        "50% 1",
			"value=_":                          "",
			"pageSize=1&currentPage=2":         "b 2",
		} {
			var got []string
			for _, tag := range s.call("GET", "/tags?"+query, nil).want(200)["data"].([]any) {
				got = append(got, fmt.Sprint(tag.(object)["value"], " ", tag.(object)["videoCount"]))
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("%s: got %v want %s", query, got, want)
			}
		}
		if p := s.call("GET", "/tags?pageSize=2", nil).want(200)["pagination"].(object); p["itemsTotal"] != 3.0 || p["pagesTotal"] != 2.0 {
			t.Errorf("got %v want 3 tags on 2 pages", p)
		}
		for query, name := range map[string]string{
			"sortBy=name": "sortBy", "sortOrder=up": "sortOrder", "currentPage=0": "currentPage", "value=%00": "value", "value=%ff": "value",
		} {
			s.call("GET", "/tags?"+query, nil).refused(400, "request-invalid-query-parameter", name)
		}
	})
}

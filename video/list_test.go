package video_test

import (
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestAListTellsEveryProblemOfItsQuery(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ordered := []string{"currentPage", "pageSize", "sortBy", "sortOrder"}
		for path, filters := range map[string][]string{
			"/videos":           {"title", "metadata"},
			"/discarded/videos": {"title", "metadata"},
			"/tags":             {"value"},
			"/summaries":        {"origin", "sourceStatus"},
			"/live-streams":     {"name"},
			"/players":          nil,
			"/upload-tokens":    nil,
			"/watermarks":       nil,
		} {
			query := "?currentPage=0&pageSize=x&sortBy=x&sortOrder=x"
			if len(filters) > 0 {
				query += "&" + strings.Join(filters, "=%00&") + "=%00"
			}
			got := problemNames(s.call("GET", path+query, nil).want(400))
			if want := slices.Concat(ordered, filters); !slices.Equal(got, want) {
				t.Errorf("%s: got problems with %q want %q", path, got, want)
			}
		}
		got := problemNames(s.call("GET", "/webhooks?pageSize=0&events=x", nil).want(400))
		if want := []string{"pageSize", "events"}; !slices.Equal(got, want) {
			t.Errorf("/webhooks: got problems with %q want %q", got, want)
		}
	})
}

func TestAQueryThatCannotBeReadHasItsProblemToo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		refusal := newSite(t, d).call("GET", "/videos?title=100%", nil)
		refusal.refused(400, "request-invalid-query-parameter", "title")
		if got := problemNames(refusal.want(400)); !slices.Equal(got, []string{"title"}) {
			t.Errorf("got problems with %q want that with the title", got)
		}
	})
}

// problemNames are the parameters that a refusal tells of.
func problemNames(refusal object) (names []string) {
	problems, _ := refusal["problems"].([]any)
	for _, p := range problems {
		names = append(names, p.(object)["name"].(string))
	}
	return names
}

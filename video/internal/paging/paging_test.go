package paging_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/url"
	"testing"

	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func TestPagesWithinBounds(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]paging.Page{
		"":                           {Number: 1, Size: 25},
		"currentPage=3":              {Number: 3, Size: 25},
		"pageSize=1":                 {Number: 1, Size: 1},
		"currentPage=7&pageSize=100": {Number: 7, Size: 100},
		"currentPage=2147483647":     {Number: 2147483647, Size: 25},
	} {
		if got, err := paging.Read(values(t, query)); err != nil || got != want {
			t.Errorf("%q: got %+v (%v), want %+v", query, got, err, want)
		}
	}
	if got := (paging.Page{Number: 3, Size: 25}).Offset(); got != 50 {
		t.Errorf("got offset %d of page 3, want 50", got)
	}
}

func TestPagesOutOfBoundsAreNamed(t *testing.T) {
	t.Parallel()
	for query, want := range map[string][]string{
		"currentPage=0":                 {"currentPage"},
		"currentPage=-1":                {"currentPage"},
		"currentPage=":                  {"currentPage"},
		"currentPage=1.0":               {"currentPage"},
		"currentPage=%2B1":              {"currentPage"},
		"currentPage=2147483648":        {"currentPage"},
		"pageSize=0":                    {"pageSize"},
		"pageSize=101":                  {"pageSize"},
		"pageSize=99999999999999999999": {"pageSize"},
		"pageSize=x&currentPage=x":      {"currentPage", "pageSize"},
	} {
		_, err := paging.Read(values(t, query))
		e, ok := errors.AsType[*problem.Error](err)
		if !ok || e.Status != 400 || e.Name != want[0] || len(e.Problems) != len(want) {
			t.Errorf("%q: got %+v, want a 400 that names %v", query, err, want)
		}
	}
}

func TestOrder(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		query, wantBy string
		wantDown      bool
		wantName      string // of the parameter at fault
	}{
		{"", "createdAt", true, ""},
		{"sortOrder=asc", "createdAt", false, ""},
		{"sortBy=title", "title", false, ""},
		{"sortBy=title&sortOrder=desc", "title", true, ""},
		{"sortBy=createdAt", "createdAt", false, ""},
		{"sortBy=views", "", false, "sortBy"},
		{"sortBy=title+desc", "", false, "sortBy"},
		{"sortOrder=DESC", "", false, "sortOrder"},
		{"sortOrder=", "", false, "sortOrder"},
	} {
		by, down, err := paging.Order(values(t, test.query), "createdAt desc", "title", "createdAt")
		name := ""
		if e, ok := errors.AsType[*problem.Error](err); ok {
			name = e.Name
		}
		if by != test.wantBy || down != test.wantDown || name != test.wantName {
			t.Errorf("%q: got %q, %v, fault of %q; want %q, %v, %q", test.query, by, down, name, test.wantBy, test.wantDown, test.wantName)
		}
	}
}

func TestLinksKeepTheFilters(t *testing.T) {
	t.Parallel()
	address, err := url.Parse("/videos?tags%5B%5D=a&tags%5B%5D=b+c&currentPage=2&metadata%5Bk%5D=%26")
	if err != nil {
		t.Fatal(err)
	}
	got := paging.Answer(address, paging.Page{Number: 2, Size: 2}, 5, []string{"c", "d"})
	const rest = "&metadata%5Bk%5D=%26&pageSize=2&tags%5B%5D=a&tags%5B%5D=b+c"
	wantJSON(t, got, `{"data":["c","d"],"pagination":{"currentPage":2,"currentPageItems":2,"pageSize":2,"pagesTotal":3,"itemsTotal":5,"links":[`+
		`{"rel":"self","uri":"/videos?currentPage=2`+rest+`"},{"rel":"first","uri":"/videos?currentPage=1`+rest+`"},`+
		`{"rel":"previous","uri":"/videos?currentPage=1`+rest+`"},{"rel":"next","uri":"/videos?currentPage=3`+rest+`"},`+
		`{"rel":"last","uri":"/videos?currentPage=3`+rest+`"}]}}`)
}

func TestAnEmptyListHasOnePage(t *testing.T) {
	t.Parallel()
	got := paging.Answer[int](&url.URL{Path: "/tags"}, paging.Page{Number: 1, Size: 25}, 0, nil)
	const uri = `"uri":"/tags?currentPage=1&pageSize=25"`
	wantJSON(t, got, `{"data":[],"pagination":{"currentPage":1,"currentPageItems":0,"pageSize":25,"pagesTotal":1,"itemsTotal":0,"links":[`+
		`{"rel":"self",`+uri+`},{"rel":"first",`+uri+`},{"rel":"last",`+uri+`}]}}`)
}

func TestAPagePastTheEndLeadsBack(t *testing.T) {
	t.Parallel()
	got := paging.Answer[int](&url.URL{Path: "/tags"}, paging.Page{Number: 9, Size: 10}, 15, nil)
	wantJSON(t, got, `{"data":[],"pagination":{"currentPage":9,"currentPageItems":0,"pageSize":10,"pagesTotal":2,"itemsTotal":15,"links":[`+
		`{"rel":"self","uri":"/tags?currentPage=9&pageSize=10"},{"rel":"first","uri":"/tags?currentPage=1&pageSize=10"},`+
		`{"rel":"previous","uri":"/tags?currentPage=2&pageSize=10"},{"rel":"last","uri":"/tags?currentPage=2&pageSize=10"}]}}`)
}

func values(t *testing.T, query string) url.Values {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func wantJSON(t *testing.T, v any, want string) {
	t.Helper()
	var got bytes.Buffer
	enc := json.NewEncoder(&got)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	if got.String() != want+"\n" {
		t.Errorf("got\n%s, want\n%s", &got, want)
	}
}

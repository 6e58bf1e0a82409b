package paging

import (
	"net/url"
	"strconv"
)

// Response is a list on the wire. Data is never null.
type Response[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// Pagination says where a page stands in its list.
type Pagination struct {
	CurrentPage      int    `json:"currentPage"`
	CurrentPageItems int    `json:"currentPageItems"`
	PageSize         int    `json:"pageSize"`
	PagesTotal       int    `json:"pagesTotal"` // an empty list has one page
	ItemsTotal       int    `json:"itemsTotal"`
	Links            []Link `json:"links"`
}

// Link leads to another page: a path with a query.
type Link struct {
	Rel string `json:"rel"`
	URI string `json:"uri"`
}

// Answer makes the page of a list of total items that was asked for at address.
// Its links keep the filters of the request.
func Answer[T any](address *url.URL, p Page, total int, data []T) Response[T] {
	if data == nil {
		data = []T{}
	}
	pages := max(1, (total+p.Size-1)/p.Size)
	return Response[T]{
		Data: data,
		Pagination: Pagination{
			CurrentPage: p.Number, CurrentPageItems: len(data), PageSize: p.Size,
			PagesTotal: pages, ItemsTotal: total, Links: links(address, p, pages),
		},
	}
}

// links leads from a page past the end back to the last one.
func links(address *url.URL, p Page, pages int) []Link {
	query := address.Query()
	query.Set("pageSize", strconv.Itoa(p.Size))
	to := func(rel string, number int) Link {
		query.Set("currentPage", strconv.Itoa(number))
		return Link{Rel: rel, URI: address.EscapedPath() + "?" + query.Encode()}
	}
	all := []Link{to("self", p.Number), to("first", 1)}
	if p.Number > 1 {
		all = append(all, to("previous", min(p.Number-1, pages)))
	}
	if p.Number < pages {
		all = append(all, to("next", p.Number+1))
	}
	return append(all, to("last", pages))
}

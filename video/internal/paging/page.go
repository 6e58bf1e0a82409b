// Package paging is how lists are asked for and answered: by page and order.
package paging

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"stoa/video/internal/problem"
)

const (
	defaultSize = 25
	maxSize     = 100

	// maxNumber keeps the numbers of an answer, and the links in it, within the
	// 32 bits that clients read. A page that far is empty anyhow.
	maxNumber = 1<<31 - 1
)

// Page is one page of a list. Number is 1 or more, Size 1 to 100.
type Page struct{ Number, Size int }

// Read takes currentPage and pageSize from a query, or their defaults. Every
// parameter that is out of bounds is a problem of the error.
func Read(q url.Values) (Page, error) {
	number, badNumber := integer(q, "currentPage", 1, maxNumber)
	size, badSize := integer(q, "pageSize", defaultSize, maxSize)
	if err := problem.All(badNumber, badSize); err != nil {
		return Page{}, err
	}
	return Page{Number: number, Size: size}, nil
}

func integer(q url.Values, name string, fallback, most int) (int, *problem.Error) {
	if !q.Has(name) {
		return fallback, nil
	}
	text := q.Get(name)
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most || text[0] == '+' {
		return 0, problem.Query(name, "Give %s as a whole number from 1 to %d.", name, most)
	}
	return n, nil
}

// Offset is how many items stand before the page.
func (p Page) Offset() int { return (p.Number - 1) * p.Size }

// Order takes sortBy and sortOrder from a query. The fallback is the order
// without sortBy; " desc" at its end turns it around, and holds for it alone: a
// sortBy without sortOrder is ascending.
func Order(q url.Values, fallback string, allowed ...string) (sortBy string, descending bool, err error) {
	var badColumn, badOrder *problem.Error
	sortBy, descending = strings.CutSuffix(fallback, " desc")
	if q.Has("sortBy") {
		sortBy, descending = q.Get("sortBy"), false
		if !slices.Contains(allowed, sortBy) {
			badColumn = problem.Query("sortBy", "Sort by %s.", oneOf(allowed))
		}
	}
	if q.Has("sortOrder") {
		order := q.Get("sortOrder")
		if order != "asc" && order != "desc" {
			badOrder = problem.Query("sortOrder", "Give sortOrder as asc or desc.")
		}
		descending = order == "desc"
	}
	if err := problem.All(badColumn, badOrder); err != nil {
		return "", false, err
	}
	return sortBy, descending, nil
}

func oneOf(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

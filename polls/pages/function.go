package pages

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"
)

// functions are what templates call.
func functions(o Options) template.FuncMap {
	return template.FuncMap{
		"origin":      func() string { return o.Origin },
		"environment": func() string { return o.Environment },
		"asset":       AssetPath,
		"number":      number,
		"count":       count,
		"share":       share,
		"date":        func(t time.Time) string { return t.UTC().Format("2 Jan 2006") },
		"stamp":       func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"duration":    duration,
		"isLink":      isLink,
		"plus":        func(a, b int) int { return a + b },
		"at":          func(p PublisherName, page string) place { return place{p, page} },
		"targets":     func(prefix string, f TargetForm, sets []SetLine, e Errors) picker { return picker{prefix, f, sets, e} },
		"blank":       func() SetPoll { return SetPoll{} },
	}
}

// place tells the navigation of a publisher's area which page it is on.
type place struct {
	PublisherName
	At string
}

// picker is the part of a form that picks a poll, a set or a tag. The prefix
// keeps ids apart where a page has two.
type picker struct {
	Prefix string
	Form   TargetForm
	Sets   []SetLine
	Errors Errors
}

// number is 1204 as "1,204".
func number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count is a number with its noun: "1 vote", "1,204 votes".
func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// share is the width of a bar. A bar of something is never invisible.
func share(part, whole int64) string {
	if part <= 0 || whole <= 0 {
		return "0%"
	}
	return strconv.FormatFloat(max(.5, 100*float64(min(part, whole))/float64(whole)), 'f', 1, 64) + "%"
}

// duration is seconds as a person says them: "40 s", "3 min 20 s", "5 h 2 min".
func duration(seconds int64) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%d s", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%s h %d min", number(seconds/3600), seconds%3600/60)
}

// isLink tells whether a text that somebody typed can be followed. Others are
// shown as text.
func isLink(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

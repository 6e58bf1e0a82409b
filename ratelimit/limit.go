package ratelimit

import (
	"fmt"
	"strings"
)

// Unit is the span that a limit counts in. The zero Unit is no unit.
type Unit uint8

const (
	Second Unit = iota + 1
	Minute
	Hour
	Day
	Week
	Month // 30 days
	Year  // 365 days
)

var units = [...]struct {
	name    string
	seconds int64
}{
	Second: {"second", 1},
	Minute: {"minute", 60},
	Hour:   {"hour", 3600},
	Day:    {"day", 86400},
	Week:   {"week", 7 * 86400},
	Month:  {"month", 30 * 86400},
	Year:   {"year", 365 * 86400},
}

// ParseUnit reads the name of a unit in any letter case.
func ParseUnit(name string) (Unit, bool) {
	for u := Second; u <= Year; u++ {
		if strings.EqualFold(name, units[u].name) {
			return u, true
		}
	}
	return 0, false
}

// Valid tells whether u is one of the named units.
func (u Unit) Valid() bool { return u >= Second && u <= Year }

// Seconds is the length of one unit.
func (u Unit) Seconds() int64 { return units[u].seconds }

// String is the upper-case name, or UNKNOWN.
func (u Unit) String() string {
	if !u.Valid() {
		return "UNKNOWN"
	}
	return strings.ToUpper(units[u].name)
}

// maxWindow bounds a window of several units: 100 years.
const maxWindow = 100 * 365 * 86400

// Limit is requests per window, a window being Multiplier units long. Zero
// requests refuse everything.
type Limit struct {
	Requests   uint32
	Unit       Unit
	Multiplier uint32 // at least 1; 0 counts as 1
}

// Seconds is the length of the window.
func (l Limit) Seconds() int64 { return l.Unit.Seconds() * int64(max(l.Multiplier, 1)) }

// Valid tells whether the limit has a unit and a window of at most 100 years.
func (l Limit) Valid() bool { return l.Unit.Valid() && l.Seconds() <= maxWindow }

// String is how people say it: "100 per 5 minutes".
func (l Limit) String() string {
	unit := strings.ToLower(l.Unit.String())
	if l.Multiplier > 1 {
		return fmt.Sprintf("%d per %d %ss", l.Requests, l.Multiplier, unit)
	}
	return fmt.Sprintf("%d per %s", l.Requests, unit)
}

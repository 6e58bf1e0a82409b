package ratelimit

// Code is the answer for a descriptor or a whole request.
type Code uint8

const (
	OK Code = iota + 1
	OverLimit
)

func (c Code) String() string {
	switch c {
	case OK:
		return "OK"
	case OverLimit:
		return "OVER_LIMIT"
	}
	return "UNKNOWN"
}

// Decision is the answer to a request.
type Decision struct {
	Code     Code
	Statuses []Status // one per descriptor, in the request's order
}

// Status is the answer for one descriptor.
type Status struct {
	Code      Code
	Limited   bool   // a limit applied; without one, Limit, Name and Reset have no meaning
	Quota     bool   // an over-limit status refuses only together with all other quota ones
	Limit     Limit  // as configured
	Name      string // of the rule's limit
	Remaining uint32 // 0 when over; the largest number when the rule is unlimited
	Reset     int64  // seconds to the end of the window
	Rule      *Rule  // the rule that decided; nil for none and for an override
}

// refuses tells whether the status alone refuses the request.
func (s *Status) refuses() bool { return s.Code == OverLimit && !s.Quota }

// Tightest is the status that response headers describe: the last one that
// refuses, else the first with the fewest hits remaining; nil when no limit applied.
func (d *Decision) Tightest() *Status {
	var tightest *Status
	for i := range d.Statuses {
		s := &d.Statuses[i]
		switch {
		case !s.Limited:
		case s.refuses():
			tightest = s
		case tightest == nil, !tightest.refuses() && s.Remaining < tightest.Remaining:
			tightest = s
		}
	}
	return tightest
}

// conclude turns the statuses into the answer for the whole request: refused by
// any plain status that is over, or by all quota statuses together.
func (d *Decision) conclude() {
	refused, quota, quotaOver := false, 0, 0
	for i := range d.Statuses {
		s := &d.Statuses[i]
		refused = refused || s.refuses()
		if s.Quota {
			quota++
			if s.Code == OverLimit {
				quotaOver++
			}
		}
	}
	d.Code = OK
	if refused || quota > 0 && quota == quotaOver {
		d.Code = OverLimit
	}
}

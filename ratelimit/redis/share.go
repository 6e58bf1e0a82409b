package redis

import "stoa/ratelimit"

// A share is the part of a call's hits that one redis counts.
type share uint8

const (
	all share = iota
	longer
	seconds
)

func (s share) has(h *ratelimit.Hit) bool {
	return s == all || (s == seconds) == (h.Window.Seconds == 1)
}

// which says where the hits go: longer to main, seconds to second, all to both.
func (c *Counter) which(hits []ratelimit.Hit) share {
	if c.second == nil {
		return longer
	}
	short := 0
	for i := range hits {
		if seconds.has(&hits[i]) {
			short++
		}
	}
	switch short {
	case 0:
		return longer
	case len(hits):
		return seconds
	}
	return all
}

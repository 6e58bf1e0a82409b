package video

import (
	"time"

	"stoa/internal/db"
)

// moment is a time as the API writes it: whole seconds with the offset spelled out,
// since clients of old parse nothing else.
type moment time.Time

const momentLayout = "2006-01-02T15:04:05-07:00"

// MarshalText is how JSON gets it.
func (m moment) MarshalText() ([]byte, error) {
	return time.Time(m).UTC().AppendFormat(nil, momentLayout), nil
}

// momentOf is a stored time.
func momentOf(micros int64) moment { return moment(db.Time(micros)) }

// optionalMoment is a stored time, null for none.
func optionalMoment(micros int64) *moment {
	if micros == 0 {
		return nil
	}
	return new(momentOf(micros))
}

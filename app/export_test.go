package app

import "time"

// SetDrainLimit shortens the time that open calls may hold up the end.
func (o *Options) SetDrainLimit(d time.Duration) { o.drainLimit = d }

package db

import "time"

// Micros is how a time is stored: a BIGINT of microseconds since 1970.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time is the stored time, in UTC.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

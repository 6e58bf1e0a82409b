package memcache

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// warnEvery keeps the log readable while every call fails.
const warnEvery = 10 * time.Second

// A warner logs one line in warnEvery, with the number of those it held back.
type warner struct {
	log  *slog.Logger
	next atomic.Int64 // unix nanoseconds
	held atomic.Uint64
}

func (w *warner) warn(message string, err error, args ...any) {
	now, next := time.Now().UnixNano(), w.next.Load()
	if now < next || !w.next.CompareAndSwap(next, now+int64(warnEvery)) {
		w.held.Add(1)
		return
	}
	w.log.Warn(message, append(args, "error", err, "held_back", w.held.Swap(0))...)
}

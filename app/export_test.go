package app

import (
	"net/http"
	"time"

	"stoa/internal/stats"
)

// SetDrainLimit shortens the time that open calls may hold up the end.
func (o *Options) SetDrainLimit(d time.Duration) { o.drainLimit = d }

// JudgeClock and ExamineYear say what doctor thinks of a clock.
var (
	JudgeClock  = judgeClock
	ExamineYear = examineYear
)

// DebugPort is what the debug port of a process without services answers.
func DebugPort() http.Handler {
	d := debugPort{metrics: http.NotFoundHandler(), shown: stats.NewRegistry(), health: new(App).Health}
	return mux(d.routes())
}

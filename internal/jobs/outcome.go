package jobs

import (
	"errors"
	"fmt"
	"time"
)

type snooze struct{ d time.Duration }

func (s snooze) Error() string { return fmt.Sprintf("to be done again in %v", s.d) }

// Snooze is returned by a handler that wants to be called again after d. That is
// no failure, and there is no bound on how often.
func Snooze(d time.Duration) error { return snooze{d} }

type abandoned struct{ error }

func (a abandoned) Unwrap() error { return a.error }

// Abandon is returned by a handler that cannot do the job now or ever. It is
// given up at once.
func Abandon(err error) error { return abandoned{err} }

// Why the context of a job ends, as context.Cause tells.
var (
	errStopping = errors.New("this process stops: the job is handed back")
	errLost     = errors.New("this process was taken for dead: another one does the job")
)

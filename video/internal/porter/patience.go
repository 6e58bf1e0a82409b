package porter

import (
	"sync/atomic"
	"time"
)

// Patience is how long a publisher is kept that sends nothing, or whose broadcast has
// ended: encoders take a closed connection for a fault and come back, so it stays for a
// while, and what it sends is thrown away. Any goroutine may call its methods.
type Patience struct {
	silence, discard time.Duration
	since            atomic.Int64 // a frame came, or the broadcast ended; nanoseconds of Unix
	ended            atomic.Bool
}

// NewPatience begins now.
func NewPatience(silence, discard time.Duration) *Patience {
	p := &Patience{silence: silence, discard: discard}
	p.Heard()
	return p
}

// Heard says that a picture or sound came.
func (p *Patience) Heard() { p.since.Store(time.Now().UnixNano()) }

// End says that the broadcast has ended.
func (p *Patience) End() {
	p.Heard()
	p.ended.Store(true)
}

// Ended tells whether what comes is thrown away.
func (p *Patience) Ended() bool { return p.ended.Load() }

// Check answers ErrSilence or ErrEnded when the publisher has to go. It is to be asked
// every Pace.
func (p *Patience) Check() error {
	since := time.Since(time.Unix(0, p.since.Load()))
	switch ended := p.ended.Load(); {
	case ended && since > p.discard:
		return ErrEnded
	case !ended && since > p.silence:
		return ErrSilence
	}
	return nil
}

// Pace is how often Check is asked.
func (p *Patience) Pace() time.Duration { return min(time.Second/2, p.silence/4) }

package restream

import (
	"context"
	"time"

	"stoa/video/internal/live"
	"stoa/video/internal/rtmp"
)

// send gives the target what is queued, from a key frame on, until one side ends.
func (r *Restream) send(ctx context.Context, c *rtmp.Client) error {
	var clock clock
	var formats *[]live.Format
	for {
		item, err := r.queue.take(ctx)
		if err != nil {
			return err
		}
		f := clock.set(item.frame)
		if item.formats != formats {
			formats = item.formats
			if err := c.Start(*formats, f.DTS); err != nil {
				return err
			}
		}
		if err := c.Write(f); err != nil {
			return err
		}
	}
}

// clock lets the times of a connection begin at 0, and goes on where the source jumps
// to before that: there is no time below 0 on the wire.
type clock struct {
	begun bool
	base  time.Duration
	last  time.Duration // of the newest frame, from 0
}

func (c *clock) set(f live.Frame) live.Frame {
	if !c.begun {
		c.begun, c.base = true, f.DTS
	}
	if f.DTS < c.base {
		if c.last-(f.DTS-c.base) < time.Second { // sound that is a little behind the first picture
			f.PTS += c.base - f.DTS
			f.DTS = c.base
		} else {
			c.base = f.DTS - c.last
		}
	}
	f.PTS -= c.base
	f.DTS -= c.base
	c.last = max(c.last, f.DTS)
	return f
}

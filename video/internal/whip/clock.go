package whip

import (
	"time"

	"github.com/pion/rtcp"
)

// clock gives the packets of a track their place in time: that of the first is when it
// came, the others follow it by their own times.
type clock struct {
	rate   int64
	known  bool
	last   uint32
	ticks  int64         // since the first packet
	anchor time.Duration // of the first packet

	reported bool // the publisher has said what time it was at reportTicks
	report   time.Duration
	reportAt uint32
}

// at answers when a packet with the given time is due; now is used for the first one.
func (c *clock) at(stamp uint32, now time.Duration) time.Duration {
	if !c.known {
		c.known, c.last, c.anchor = true, stamp, now
	}
	c.ticks += int64(int32(stamp - c.last))
	c.last = stamp
	return c.anchor + c.span(c.ticks)
}

func (c *clock) span(ticks int64) time.Duration {
	return time.Duration(ticks/c.rate)*time.Second + time.Duration(ticks%c.rate)*time.Second/time.Duration(c.rate)
}

// note takes what the publisher says of its clock.
func (c *clock) note(report *rtcp.SenderReport) {
	seconds, fraction := report.NTPTime>>32, report.NTPTime&0xffffffff
	c.report = time.Duration(seconds)*time.Second + time.Duration(fraction*uint64(time.Second)>>32)
	c.reportAt, c.reported = report.RTPTime, true
}

// offset is how far the time line of the track is from the clock of the publisher.
func (c *clock) offset() time.Duration {
	ticks := c.ticks + int64(int32(c.reportAt-c.last))
	return c.anchor + c.span(ticks) - c.report
}

// How fast pictures are brought to where they belong beside the sound. More than a few
// seconds are no delay: the publisher has two clocks.
const (
	alignStep  = 2 * time.Millisecond
	alignLimit = 5 * time.Second
)

// align moves the pictures by a step towards where the publisher has them beside the
// sound. Packets of both need not arrive as they were made: pictures take longer to
// encode.
func align(pictures, sound *clock) {
	if !pictures.known || !sound.known || !pictures.reported || !sound.reported {
		return
	}
	wrong := pictures.offset() - sound.offset()
	if wrong.Abs() < alignLimit {
		pictures.anchor -= max(-alignStep, min(alignStep, wrong))
	}
}

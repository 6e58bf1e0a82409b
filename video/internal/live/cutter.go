package live

import "bytes"

// Cutter cuts one track into parts, and into segments where it is told to. The times
// of its frames are those of the broadcast, and rise.
type Cutter struct {
	track string
	sink  Sink
	head  Head
	next  int   // number of the next head
	clock int64 // 0: not known yet
	pace  int64 // how long a frame is, where that is sure; else 0

	cuts    []Cut // that the frames have not reached
	begun   Cut   // the open segment
	segment Segment
	parts   [][]byte

	open     []sample // of the open part
	size     int      // of its payloads
	duration int64

	pending sample // the newest frame, whose duration the one after it tells
	has     bool   // there is one
	step    int64  // duration of the frame before
	end     int64  // of what was cut
	shut    bool   // frames wait for the next cut
}

// Bounds of what is kept of a track, for publishers that send no sense.
const (
	maxSamples = 512      // in a part
	maxPart    = 8 << 20  // bytes
	maxParts   = 128      // in a segment
	maxSegment = 48 << 20 // bytes
	maxCuts    = 64       // that a track may lag behind
	maxWait    = 10       // seconds from decoding to showing
)

// NewCutter makes a cutter for a track of a broadcast that goes on from a place.
func NewCutter(track string, from Place, sink Sink) *Cutter {
	return &Cutter{track: track, sink: sink, next: from.Heads[track], clock: from.Clocks[track]}
}

// Start names the format of the frames that follow, which begin with a head of its own.
// What is open is cut first.
func (c *Cutter) Start(f Format) error {
	h, err := describe(f, c.clock)
	if err != nil {
		return err
	}
	return c.start(f, h)
}

func (c *Cutter) start(f Format, h Head) error {
	if err := c.Close(); err != nil {
		return err
	}
	h.Number, c.begun.Break = c.next, c.next > 0
	c.next++
	c.head, c.clock, c.pace = h, h.Clock, 0
	if p := pace(f); p > 0 && h.Clock == soundRate(f) {
		c.pace = p
	}
	return c.sink.Head(c.track, h)
}

// soundRate is the clock that a format counts its own frames by.
func soundRate(f Format) int64 {
	h, _ := outline(f)
	return h.Clock
}

// Cut says where the next segment begins. It may be told before the frames before it
// have come.
func (c *Cutter) Cut(at Cut) {
	if len(c.cuts) >= maxCuts {
		c.cuts[1].Break = c.cuts[1].Break || c.cuts[0].Break
		c.cuts = append(c.cuts[:0], c.cuts[1:]...)
	}
	c.cuts = append(c.cuts, at)
}

// Write takes the next frame.
func (c *Cutter) Write(f Frame) error {
	at := c.even(ticks(f.DTS, c.clock))
	if c.has {
		if err := c.finish(at); err != nil {
			return err
		}
	}
	wait := ticks(f.PTS, c.clock) - at
	if c.head.Height == 0 || wait > maxWait*c.clock || wait < -maxWait*c.clock {
		wait = 0
	}
	c.pending, c.has = sample{time: at, wait: wait, key: f.Key, payload: f.Payload}, true
	return c.reach(at)
}

// even takes the jitter from the times of sound, whose frames are all of one length:
// publishers round to milliseconds. A clock that runs away from the sound is followed
// slowly.
func (c *Cutter) even(at int64) int64 {
	if !c.has {
		return max(at, c.end)
	}
	if c.pace > 0 {
		due := c.pending.time + c.pace
		switch off := at - due; {
		case 1000*abs(off) <= 2*c.clock:
			at = due
		case 1000*abs(off) <= 40*c.clock:
			at = due + off/8
		}
	}
	return max(at, c.pending.time+1)
}

func abs(n int64) int64 { return max(n, -n) }

// finish adds the pending frame, which lasts until the next one. It does not last over
// a hole, where the next segment begins in it.
func (c *Cutter) finish(until int64) error {
	if err := c.reach(c.pending.time); err != nil {
		return err
	}
	s := c.pending
	s.duration = until - s.time
	if len(c.cuts) > 0 && s.duration > c.clock/2 {
		s.duration = max(1, min(until, ticks(c.cuts[0].Time, c.clock))-s.time)
	}
	c.has, c.pending = false, sample{}
	if c.shut {
		return nil
	}
	return c.add(s)
}

func (c *Cutter) add(s sample) error {
	if c.segment.Size+c.size > 2*maxSegment {
		return errFrame
	}
	limit := ticks(PartDuration, c.clock)
	if len(c.open) > 0 && (c.duration+s.duration > limit || s.time != c.end) {
		if err := c.cutPart(); err != nil {
			return err
		}
	}
	c.open = append(c.open, s)
	c.size += len(s.payload)
	c.duration += s.duration
	c.step, c.end = s.duration, s.time+s.duration
	if c.duration+s.duration > limit || len(c.open) >= maxSamples || c.size >= maxPart {
		return c.cutPart()
	}
	return nil
}

// reach ends segments that a frame comes after.
func (c *Cutter) reach(at int64) error {
	for len(c.cuts) > 0 && ticks(c.cuts[0].Time, c.clock) <= at {
		if err := c.cutSegment(); err != nil {
			return err
		}
		broken := c.begun.Break // and nothing came of it
		c.begun, c.shut = c.cuts[0], false
		c.begun.Break = c.begun.Break || broken
		c.cuts = append(c.cuts[:0], c.cuts[1:]...)
	}
	return nil
}

// settle ends the segments that were to end by now, without the frame that tells so:
// the track has fallen silent.
func (c *Cutter) settle() error {
	if len(c.cuts) == 0 {
		return nil
	}
	last := c.cuts[len(c.cuts)-1].Time
	if c.has {
		if err := c.finish(c.pending.time + max(1, c.step)); err != nil {
			return err
		}
	}
	return c.reach(ticks(last, c.clock))
}

// full says that the segment must end, or too much is kept.
func (c *Cutter) full() bool {
	return len(c.cuts) == 0 && (c.segment.Size > maxSegment || len(c.parts) >= maxParts)
}

// Close cuts what is open. The last frame lasts as long as the one before. Frames that
// follow are left out until the next cut.
func (c *Cutter) Close() error {
	if c.has {
		if err := c.finish(c.pending.time + max(1, c.step)); err != nil {
			return err
		}
	}
	c.shut = true
	return c.cutSegment()
}

func (c *Cutter) cutPart() error {
	if len(c.open) == 0 {
		return nil
	}
	first := &c.open[0]
	p := Part{
		Segment: c.begun.Segment, Number: len(c.parts), Duration: c.duration, Independent: first.key,
		Bytes: fragment(uint32(c.begun.Segment)<<8+uint32(len(c.parts))+1, c.open, c.size),
	}
	if p.Number == 0 {
		c.segment = Segment{
			Number: p.Segment, Head: c.head.Number, Break: c.begun.Break, Start: first.time,
			At: c.begun.At.Add(duration(first.time, c.clock) - c.begun.Time),
		}
		if first.key && c.head.Height > 0 {
			c.segment.FirstFrame = firstEnd(c.open)
		}
	}
	c.segment.Size += len(p.Bytes)
	c.parts = append(c.parts, p.Bytes)
	clear(c.open) // the payloads are not needed any more
	c.open, c.size, c.duration = c.open[:0], 0, 0
	return c.sink.Part(c.track, p)
}

func (c *Cutter) cutSegment() error {
	if err := c.cutPart(); err != nil || len(c.parts) == 0 {
		return err
	}
	s := c.segment
	s.Duration, s.Parts = c.end-s.Start, len(c.parts)
	s.Bytes = bytes.Join(c.parts, nil)
	c.parts, c.segment, c.begun.Break = nil, Segment{}, false
	return c.sink.Segment(c.track, s)
}

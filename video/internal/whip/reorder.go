package whip

import (
	"time"

	"github.com/pion/rtp"
)

// How long packets wait for one that is missing and was asked for again.
const (
	reorderTime  = 300 * time.Millisecond
	reorderCount = 512
	reorderJump  = 4096 // a number so far ahead begins a new count
)

// reorder gives packets in the order of their numbers.
type reorder struct {
	known bool
	next  uint16
	held  map[uint16]*rtp.Packet
	since time.Time // when the first of held came
}

// push takes a packet and gives those whose turn it is to take; lost says that packets
// before one are missing.
func (o *reorder) push(p *rtp.Packet, now time.Time, take func(p *rtp.Packet, lost bool) error) error {
	if o.held == nil {
		o.held = map[uint16]*rtp.Packet{}
	}
	lost := false
	ahead := int16(p.SequenceNumber - o.next)
	switch {
	case !o.known:
		o.known, o.next = true, p.SequenceNumber
	case ahead > reorderJump || ahead < -reorderJump:
		clear(o.held)
		o.next, lost = p.SequenceNumber, true
	case ahead < 0:
		return nil // too late, or again
	}
	if len(o.held) == 0 {
		o.since = now
	}
	o.held[p.SequenceNumber] = p
	for len(o.held) > 0 {
		next, there := o.held[o.next]
		switch {
		case there:
			delete(o.held, o.next)
			o.next++
			o.since = now
			if err := take(next, lost); err != nil {
				return err
			}
			lost = false
		case len(o.held) > reorderCount || now.Sub(o.since) > reorderTime:
			for o.held[o.next] == nil {
				o.next++
			}
			lost = true
		default:
			return nil
		}
	}
	return nil
}

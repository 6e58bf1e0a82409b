package ratelimit

// Request asks whether something may pass in a domain.
type Request struct {
	Domain      string
	Descriptors []Descriptor
	Hits        uint32 // for every descriptor without its own; 0 counts as 1
}

// Descriptor is a list of entries that selects a limit.
type Descriptor struct {
	Entries  []Entry
	Override Limit  // decides instead of the rules when Valid
	Hits     uint64 // this descriptor's own hits, when OwnHits; 0 looks without counting
	OwnHits  bool
	GiveBack bool // the hits are taken away from the count
}

// Entry is one key/value pair; an empty value is no value.
type Entry struct{ Key, Value string }

// hits is what descriptor d adds. Limits are 32 bits wide, so a larger number is
// over at once whatever it is, and cutting it keeps the counter usable.
func (r *Request) hits(d *Descriptor) uint32 {
	if d.OwnHits {
		return uint32(min(d.Hits, 1<<32-1))
	}
	return max(r.Hits, 1)
}

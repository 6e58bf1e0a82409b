package polls

// Progress is told how far a part of long work is, and once that it is done: then
// done is the total, be it more or less than it was at first. Nil: nobody asks.
type Progress func(part string, done, total int)

func (p Progress) tell(part string, done, total int) {
	if p != nil && done < total {
		p(part, done, total)
	}
}

func (p Progress) end(part string, done int) {
	if p != nil {
		p(part, done, done)
	}
}

package pieces

// ReceivedBytes is a range that has come, as the status of a video shows it.
type ReceivedBytes struct {
	From  int64 `json:"from"`
	To    int64 `json:"to"` // included
	Total int64 `json:"total"`
}

// ReceivedParts is the parts that have come, as the status of a video shows them.
type ReceivedParts struct {
	Parts []int64 `json:"parts"` // ascending, never null
	Total *int64  `json:"total"` // null while it is not known
}

// ReceivedBytes is one range for each that has come, in order. It is empty for
// parts.
func (s *State) ReceivedBytes() []ReceivedBytes {
	ranges := []ReceivedBytes{}
	if s.Form == Bytes {
		for _, p := range s.Ordered() {
			ranges = append(ranges, ReceivedBytes{From: p.At, To: p.At + p.Size - 1, Total: s.Total})
		}
	}
	return ranges
}

// ReceivedParts is empty for ranges of bytes.
func (s *State) ReceivedParts() ReceivedParts {
	received := ReceivedParts{Parts: []int64{}}
	if s.Form != Parts {
		return received
	}
	for _, p := range s.Ordered() {
		received.Parts = append(received.Parts, p.At)
	}
	if s.Total > 0 {
		received.Total = new(s.Total)
	}
	return received
}

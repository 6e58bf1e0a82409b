package pieces

// admitPart applies the rules of "part N/M" to N and M, then to what has come.
func (s *State) admitPart(r Range) error {
	switch {
	case r.Part == 0:
		return fail("by-part-part-zero", "Parts are counted from 1.", "Send the first part as part 1.")
	case !r.Open && r.Total == 0:
		return fail("by-part-total-parts-zero", "The number of parts cannot be 0.",
			"Give the number of parts, or * while it is not known.")
	case r.Part > maxParts:
		return fail("by-part-part-too-high-allowed", "There are too many parts.",
			"Send at most %d parts: make them larger.", maxParts)
	case r.Total > maxParts:
		return fail("by-part-total-parts-too-high", "The number of parts is too high.",
			"Send at most %d parts: make them larger.", maxParts)
	case !r.Open && r.Part > r.Total:
		return partBeyond(r.Part, r.Total)
	case !r.Open && s.Total != 0 && r.Total != s.Total:
		return fail("by-part-different-total-parts", "The number of parts has changed.",
			"It was %d before: keep it.", s.Total)
	case s.Total != 0 && r.Part > s.Total:
		return partBeyond(r.Part, s.Total)
	}
	return s.admitAmong(r)
}

func partBeyond(part, total int64) error {
	return fail("by-part-part-too-high-total", "The number of this part is above the number of parts.",
		"Part %d of %d cannot be: correct one of them.", part, total)
}

func (s *State) admitAmong(r Range) error {
	for _, p := range s.Pieces {
		if !r.Open && p.At > r.Total {
			return fail("by-part-total-parts-too-low", "The number of parts is too low.",
				"Part %d has come already: the number cannot be %d.", p.At, r.Total)
		}
	}
	for _, p := range s.Pieces {
		if p.At == r.Part {
			return fail("by-part-part-already-sent", "This part has been sent already.",
				"Part %d is there: go on with another.", r.Part)
		}
	}
	return nil
}

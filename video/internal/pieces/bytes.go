package pieces

// admitBytes applies the rules of "bytes A-B/T" to A, B and T, then to what has
// come.
func (s *State) admitBytes(r Range) error {
	switch {
	case r.Total == 0:
		return fail("by-bytes-total-bytes-zero", "The number of bytes cannot be 0.",
			"Give the size of the whole file after the slash.")
	case r.Total > maxTotal:
		return fail("by-bytes-total-bytes-too-high", "The number of bytes is too high.",
			"Send a file of at most %d bytes.", MaxSource)
	case r.From > r.To:
		return fail("by-bytes-from-byte-too-high", "The first byte stands after the last.",
			"Give the first byte before the last, both counted from 0.")
	case r.To >= maxTotal:
		return fail("by-bytes-to-byte-too-high-allowed", "The last byte is too high.",
			"It can be at most %d.", maxTotal-1)
	case r.To >= r.Total:
		return fail("by-bytes-to-byte-too-high-total", "The last byte is beyond the number of bytes.",
			"Bytes are counted from 0: of %d, the last is %d.", r.Total, r.Total-1)
	}
	if err := s.admitTotal(r); err != nil {
		return err
	}
	return s.admitSpan(r)
}

func (s *State) admitTotal(r Range) error {
	if s.Total == 0 || r.Total == s.Total {
		if r.Total > MaxSource {
			return tooLarge()
		}
		return nil
	}
	for _, p := range s.Pieces {
		if p.At+p.Size > r.Total {
			return fail("by-bytes-total-bytes-too-low", "The number of bytes is too low.",
				"Byte %d has come already: the number was %d before, keep it.", p.At+p.Size-1, s.Total)
		}
	}
	return fail("by-bytes-different-total-bytes", "The number of bytes has changed.",
		"It was %d before: keep it.", s.Total)
}

func (s *State) admitSpan(r Range) error {
	size := r.To - r.From + 1
	if size > MaxPiece {
		return fail("by-bytes-range-too-large", "This range is too large.",
			"Send at most %d bytes at once, these are %d.", MaxPiece, size)
	}
	if size < MinPiece && r.To != r.Total-1 {
		return fail("by-bytes-range-too-small", "This range is too small.",
			"Every range but the last must have at least %d bytes, this one has %d.", MinPiece, size)
	}
	for _, p := range s.Pieces {
		if r.From < p.At+p.Size && p.At <= r.To {
			return fail("by-bytes-range-overlap", "Some of these bytes have been sent already.",
				"Bytes %d to %d are there: send the others.", p.At, p.At+p.Size-1)
		}
	}
	return nil
}

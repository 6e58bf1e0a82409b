package pieces_test

import (
	"testing"

	"pgregory.net/rapid"

	"stoa/video/internal/pieces"
)

// The model of parts is a set of numbers and the rules said backwards: what
// would the source look like with this part in it?
func TestPartsAgreeWithASet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s pieces.State
		sizes := map[int64]int64{}
		var total int64
		for range rapid.IntRange(1, 25).Draw(t, "requests") {
			r := pieces.Range{Form: pieces.Parts, Part: rapid.Int64Range(0, 6).Draw(t, "part"), Open: rapid.Bool().Draw(t, "open")}
			if !r.Open {
				r.Total = rapid.Int64Range(0, 6).Draw(t, "total")
			}
			size := rapid.SampledFrom([]int64{0, 1, pieces.MinPiece - 1, pieces.MinPiece, pieces.MaxPiece, pieces.MaxPiece + 1}).Draw(t, "size")

			after := total
			if !r.Open {
				after = r.Total
			}
			_, sent := sizes[r.Part]
			legal := r.Part > 0 && !sent && size <= pieces.MaxPiece && (total == 0 || after == total) && (r.Open || r.Total > 0)
			for n := range sizes {
				legal = legal && (after == 0 || n <= after)
			}
			legal = legal && (after == 0 || r.Part <= after)
			legal = legal && (size >= pieces.MinPiece || r.Part == after) && (size > 0 || r.Part > 1)

			err := s.Accept(r, size)
			if (err == nil) != legal {
				t.Fatalf("%+v of %d bytes after %v of %d: got %v, want legal = %v", r, size, sizes, total, err, legal)
			}
			if legal {
				sizes[r.Part], total = size, after
			}
			if got, want := s.Complete(), total > 0 && int64(len(sizes)) == total; got != want {
				t.Fatalf("got complete = %v with %v of %d, want %v", got, sizes, total, want)
			}
		}
		for i, p := range s.Ordered() {
			if s.Complete() && p.At != int64(i+1) || sizes[p.At] != p.Size {
				t.Fatalf("got pieces %v, want the parts of %v one after the other", s.Ordered(), sizes)
			}
		}
	})
}

// The model of bytes is a line of MiB that have come or not.
func TestBytesAgreeWithALine(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var s pieces.State
		var line [16]bool
		var total int64 // MiB
		for range rapid.IntRange(1, 25).Draw(t, "requests") {
			from := rapid.SampledFrom([]int64{0, 0, 1, 5, 5, 6, 10, 10, 14, 15}).Draw(t, "from") // often side by side
			to := rapid.SampledFrom([]int64{0, 1, 4, 5, 5, 6, 10, 10, 15, 15, 16}).Draw(t, "to")
			of := rapid.SampledFrom([]int64{15, 15, 15, 15, 16, 11, 0}).Draw(t, "total")
			r := pieces.Range{Form: pieces.Bytes, From: from * mib, To: to*mib - 1, Total: of * mib}
			if to == 0 {
				r.To = 0 // one byte, or before the first
			}

			legal := from < to && to <= of && (total == 0 || of == total) && (to-from >= 5 || to == of)
			for at := from; legal && at < to; at++ {
				legal = !line[at]
			}
			err := s.Accept(r, r.To-r.From+1)
			if (err == nil) != legal {
				t.Fatalf("MiB %d to %d of %d after %v: got %v, want legal = %v", from, to, of, line, err, legal)
			}
			if legal {
				total = of
				for at := from; at < to; at++ {
					line[at] = true
				}
			}
			whole := total > 0
			for at := range total {
				whole = whole && line[at]
			}
			if got := s.Complete(); got != whole {
				t.Fatalf("got complete = %v with %v of %d, want %v", got, line, total, whole)
			}
		}
		next := int64(0)
		for _, p := range s.Ordered() {
			if p.At < next || s.Complete() && p.At != next {
				t.Fatalf("got pieces %v, want them one after the other", s.Ordered())
			}
			next = p.At + p.Size
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"part 2/7", "part 2/*", "bytes 0-1023/4096", "bytes 0-18446744073709551616/1", "part -1/2"} {
		f.Add(seed, int64(1))
	}
	f.Fuzz(func(t *testing.T, header string, size int64) {
		r, err := pieces.Parse(header)
		if err != nil {
			return
		}
		if r.Part < 0 || r.From < 0 || r.To < 0 || r.Total < 0 {
			t.Fatalf("%q: got %+v, want no number below 0", header, r)
		}
		var s pieces.State
		if err := s.Accept(r, max(size, 0)); err == nil && s.Accept(r, max(size, 0)) == nil {
			t.Fatalf("%q: got the same piece accepted twice", header)
		}
	})
}

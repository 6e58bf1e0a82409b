package wire

import (
	"encoding/binary"
	"io"
	"slices"
	"strings"
)

// Digest writes what the request asks for, so that two requests can be compared by
// a hash: wherever parameters stand and in whatever order, the same ones give the
// same bytes. Those that are not given, or excepted, do not count.
func (p *Params) Digest(w io.Writer, except ...string) {
	var given []param
	for _, one := range p.list {
		v, ok := p.find(one.name)
		seen := func(other param) bool { return other.name == one.name }
		if ok && !slices.Contains(except, one.name) && !slices.ContainsFunc(given, seen) {
			given = append(given, param{one.name, v})
		}
	}
	slices.SortFunc(given, func(a, b param) int { return strings.Compare(a.name, b.name) })
	for _, one := range given {
		for _, part := range []string{one.name, one.value.text} {
			size := binary.BigEndian.AppendUint32(nil, uint32(len(part)))
			_, _ = w.Write(append(size, part...)) // a hash takes everything
		}
	}
}

// Package windowed keeps values by key for as long as a window of time lasts.
//
// Keys whose windows end together lie in one span, and a span is dropped whole:
// forgetting a million keys costs as much as forgetting one, and their memory
// goes back at once.
package windowed

import (
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/puzpuzpuz/xsync/v4"
)

// Map is a bounded concurrent map. Looking up a key takes no lock and allocates
// nothing. Only a few ends are live at a time, so finding the span is a short walk.
type Map[V any] struct {
	max   int64
	size  atomic.Int64
	grow  sync.Mutex // held to change spans
	spans atomic.Pointer[[]*span[V]]
}

type span[V any] struct {
	end    int64
	values *xsync.Map[string, V]
	size   atomic.Int64
}

// dropped is the size of a dropped span: so low that late comings and goings,
// which still move it, never bring it near the size of a live one.
const dropped = math.MinInt64 / 2

func (s *span[V]) live(size int64) bool { return size > dropped/2 }

// New makes a map that holds at most max keys.
func New[V any](max int) *Map[V] {
	m := &Map[V]{max: int64(max)}
	m.spans.Store(new([]*span[V]))
	return m
}

// Len is the number of keys held.
func (m *Map[V]) Len() int { return int(m.size.Load()) }

// Load finds the value of a key whose window ends at end.
func (m *Map[V]) Load(end int64, key []byte) (V, bool) {
	s := m.find(end)
	if s == nil {
		var none V
		return none, false
	}
	return s.values.Load(borrow(key))
}

// LoadOrStore finds the value of a key, or stores a new one. With the map full
// and the key unknown, ok is false.
func (m *Map[V]) LoadOrStore(end int64, key []byte, make func() V) (v V, loaded, ok bool) {
	s := m.find(end)
	if s == nil {
		s = m.open(end)
	}
	if v, loaded = s.values.Load(borrow(key)); loaded {
		return v, true, true
	}
	// The place is taken with the key locked, so that two calls for the same new
	// key never ask for two.
	full := false
	v, loaded = s.values.LoadOrCompute(strings.Clone(borrow(key)), func() (v V, cancel bool) {
		if full = !m.reserve(); full {
			return v, true
		}
		return make(), false
	})
	if full {
		return v, false, false
	}
	if !loaded && !s.live(s.size.Add(1)) {
		m.size.Add(-1) // the span was dropped meanwhile
	}
	return v, loaded, true
}

// reserve takes a place for a key; false when there is none.
func (m *Map[V]) reserve() bool {
	for {
		size := m.size.Load()
		if size >= m.max {
			return false
		}
		if m.size.CompareAndSwap(size, size+1) {
			return true
		}
	}
}

// Delete forgets one key.
func (m *Map[V]) Delete(end int64, key []byte) {
	s := m.find(end)
	if s == nil {
		return
	}
	if _, had := s.values.LoadAndDelete(borrow(key)); had && s.live(s.size.Add(-1)) {
		m.size.Add(-1)
	}
}

// Sweep forgets every key whose window ended before now.
func (m *Map[V]) Sweep(now int64) (forgotten int) {
	m.grow.Lock()
	defer m.grow.Unlock()
	old := *m.spans.Load()
	live := make([]*span[V], 0, len(old))
	for _, s := range old {
		if s.end >= now {
			live = append(live, s)
			continue
		}
		forgotten += int(s.size.Swap(dropped))
	}
	if len(live) < len(old) {
		m.spans.Store(&live)
		m.size.Add(-int64(forgotten))
	}
	return forgotten
}

func (m *Map[V]) find(end int64) *span[V] {
	for _, s := range *m.spans.Load() {
		if s.end == end {
			return s
		}
	}
	return nil
}

// open puts a new span first: the newest window gets most of the calls.
func (m *Map[V]) open(end int64) *span[V] {
	m.grow.Lock()
	defer m.grow.Unlock()
	if s := m.find(end); s != nil {
		return s
	}
	s := &span[V]{end: end, values: xsync.NewMap[string, V]()}
	spans := append([]*span[V]{s}, *m.spans.Load()...)
	m.spans.Store(&spans)
	return s
}

// borrow views a key as a string for the length of a look-up.
func borrow(key []byte) string { return unsafe.String(unsafe.SliceData(key), len(key)) }

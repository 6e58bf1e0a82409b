package stats

import "sync/atomic"

// Gauge is a value that goes up and down.
type Gauge struct {
	v    atomic.Int64
	read atomic.Pointer[func() int64]
	id   ID
}

// ID is what the gauge is called.
func (g *Gauge) ID() ID { return g.id }

// Set makes v the value.
func (g *Gauge) Set(v int64) { g.v.Store(v) }

// Add changes the value by d, which may be negative.
func (g *Gauge) Add(d int64) { g.v.Add(d) }

// Value is the present value. A gauge of [Registry.GaugeFunc] asks its
// function and ignores Set and Add.
func (g *Gauge) Value() int64 {
	if read := g.read.Load(); read != nil {
		return (*read)()
	}
	return g.v.Load()
}

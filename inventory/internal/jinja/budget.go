package jinja

import (
	"context"
	"time"
)

// Budget bounds what one rendering may use. A zero member means its default.
type Budget struct {
	Steps int           // statements, loop rounds, calls and items visited: 1,000,000
	Bytes int           // of all strings and lists made on the way: 64 MiB
	Depth int           // of calls within calls: 100
	Time  time.Duration // the context may end it earlier: 5 s
}

// An Option changes how a template is rendered.
type Option func(*state)

// WithBudget replaces the default budget.
func WithBudget(b Budget) Option {
	return func(st *state) { st.budget = b.orDefaults() }
}

// state is one rendering.
type state struct {
	ctx     context.Context
	source  string
	lookup  Lookup
	budget  Budget
	out     []byte
	steps   int
	check   int // the step at which the clock and the context are asked again
	bytes   int
	depth   int
	started time.Time
}

const stepsPerCheck = 512

var defaultBudget = Budget{Steps: 1_000_000, Bytes: 64 << 20, Depth: 100, Time: 5 * time.Second}

func (b Budget) orDefaults() Budget {
	if b.Steps == 0 {
		b.Steps = defaultBudget.Steps
	}
	if b.Bytes == 0 {
		b.Bytes = defaultBudget.Bytes
	}
	if b.Depth == 0 {
		b.Depth = defaultBudget.Depth
	}
	if b.Time == 0 {
		b.Time = defaultBudget.Time
	}
	return b
}

func (st *state) step(n int) error {
	st.steps += n
	if st.steps < st.check {
		return nil
	}
	if st.steps > st.budget.Steps {
		return fail("the template takes more than %d steps", st.budget.Steps)
	}
	st.check = min(st.steps+stepsPerCheck, st.budget.Steps+1)
	if err := st.ctx.Err(); err != nil {
		return err
	}
	if st.started.IsZero() {
		st.started = time.Now()
	}
	if time.Since(st.started) > st.budget.Time {
		return fail("the template takes longer than %s", st.budget.Time)
	}
	return nil
}

// charge pays for n bytes made; room asks whether n more could be paid for.
func (st *state) charge(n int) error {
	if err := st.room(n); err != nil {
		return err
	}
	st.bytes += n
	return nil
}

func (st *state) room(n int) error {
	if n < 0 || n > st.budget.Bytes-st.bytes {
		return fail("the template makes more than %d bytes", st.budget.Bytes)
	}
	return nil
}

// product is a*b for charges: too much rather than wrong.
func product(a, b int) int {
	if a > 0 && b > 1<<40/a {
		return 1 << 40
	}
	return max(0, a*b)
}

const bytesPerItem = 16

// enter counts the calls within calls.
func (st *state) enter() error {
	if st.depth++; st.depth > st.budget.Depth {
		return fail("calls are nested more than %d deep", st.budget.Depth)
	}
	return st.step(1)
}

func (st *state) leave() { st.depth-- }

package stats

// Ledger is a sink's book of what it has sent. It also keeps the label under
// which the sink sends a statistic, made once by the function given to
// NewLedger. A ledger belongs to one goroutine.
type Ledger[T any] struct {
	registry *Registry
	label    func(ID) T
	accounts map[*Counter]*account[T]
	gauges   map[*Gauge]T
	timers   map[*Timer]T
	round    uint64
}

type account[T any] struct {
	label T
	sent  uint64
	round uint64 // when the counter was last seen in the registry
}

// NewLedger opens a ledger in which nothing has been sent.
func NewLedger[T any](r *Registry, label func(ID) T) *Ledger[T] {
	return &Ledger[T]{
		registry: r,
		label:    label,
		accounts: map[*Counter]*account[T]{},
		gauges:   map[*Gauge]T{},
		timers:   map[*Timer]T{},
	}
}

// Due is an increase that a sink has not sent yet.
type Due[T any] struct {
	Label    T
	Increase uint64
	account  *account[T]
	total    uint64
}

// Sent books the increase. What is not booked is due again next time,
// together with what came in between.
func (d Due[T]) Sent() { d.account.sent = d.total }

// Level is the present value of a gauge.
type Level[T any] struct {
	Label T
	Value int64
}

// Read lists the counters that have grown since they were last sent, and all
// gauges.
func (l *Ledger[T]) Read() ([]Due[T], []Level[T]) {
	l.round++
	snapshot := l.registry.Snapshot()
	var due []Due[T]
	for _, c := range snapshot.Counters {
		a := l.accounts[c]
		if a == nil {
			a = &account[T]{label: l.label(c.id)}
			l.accounts[c] = a
		}
		a.round = l.round
		total := c.Total()
		if total < a.sent {
			a.sent = 0 // its function was replaced and counts from the start
		}
		if total > a.sent {
			due = append(due, Due[T]{a.label, total - a.sent, a, total})
		}
	}
	if len(l.accounts) > len(snapshot.Counters) {
		l.closeForgotten()
	}
	levels := make([]Level[T], 0, len(snapshot.Gauges))
	for _, g := range snapshot.Gauges {
		levels = append(levels, Level[T]{l.gaugeLabel(g), g.Value()})
	}
	return due, levels
}

func (l *Ledger[T]) closeForgotten() {
	for c, a := range l.accounts {
		if a.round != l.round {
			delete(l.accounts, c)
		}
	}
}

func (l *Ledger[T]) gaugeLabel(g *Gauge) T {
	label, ok := l.gauges[g]
	if !ok {
		label = l.label(g.id)
		l.gauges[g] = label
	}
	return label
}

// Timer is the label of a timer.
func (l *Ledger[T]) Timer(t *Timer) T {
	label, ok := l.timers[t]
	if !ok {
		label = l.label(t.id)
		l.timers[t] = label
	}
	return label
}

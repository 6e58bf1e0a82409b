// Package health tells how the parts of a process are: each room with what it stands
// on. What is asked by probes, and shown to operators, is the same list.
package health

import (
	"context"
	"slices"
	"sync"
	"time"
)

// State is how a part is.
type State string

const (
	OK       State = "ok"
	Degraded State = "degraded" // something does not work, and everything else does
	Starting State = "starting"
	Down     State = "down"
)

// order is from good to bad.
var order = []State{OK, Degraded, Starting, Down}

// Part is one thing that a room stands on, and how it is.
type Part struct {
	Environment string `json:"environment,omitzero"` // "": of the whole process
	Room        string `json:"room"`                 // polls, video, ratelimit
	Name        string `json:"name"`                 // such as database
	State       State  `json:"state"`
	Reason      string `json:"reason,omitzero"` // why it is not OK, fit for a stranger
	Detail      string `json:"detail,omitzero"` // what was found, for operators alone
}

// Worst is the state of the whole.
func Worst(parts []Part) State {
	worst := OK
	for _, p := range parts {
		if slices.Index(order, p.State) > slices.Index(order, worst) {
			worst = p.State
		}
	}
	return worst
}

// Ready tells whether requests should come: nothing is down, and all has started.
func Ready(parts []Part) bool { return slices.Index(order, Worst(parts)) <= 1 }

// Check looks at one thing that a room stands on.
type Check struct {
	Name   string
	Failed State // what it is when looking fails: Down, or Degraded if the room can do without
	Reason string
	Look   func(context.Context) error
}

// Room is the health of a room.
type Room struct {
	environment, name string
	checks            []Check

	mu     sync.Mutex
	parts  []Part
	looked time.Time
}

const (
	lookTime = 2 * time.Second // for everything to answer
	fresh    = time.Second     // anybody may ask, and shall not make much work
)

// NewRoom makes the health of a room of an environment.
func NewRoom(environment, name string, checks ...Check) *Room {
	return &Room{environment: environment, name: name, checks: checks}
}

// Parts looks at everything, unless somebody has just done so.
func (r *Room) Parts(ctx context.Context) []Part {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.parts == nil || time.Since(r.looked) > fresh {
		r.parts = r.look(ctx)
		r.looked = time.Now()
	}
	return slices.Clone(r.parts)
}

// look goes on when the one who asked has left: others wait for the same.
func (r *Room) look(ctx context.Context) []Part {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTime)
	defer cancel()
	parts := make([]Part, len(r.checks))
	var looking sync.WaitGroup
	for i, c := range r.checks {
		parts[i] = Part{Environment: r.environment, Room: r.name, Name: c.Name, State: OK}
		looking.Go(func() {
			if err := c.Look(ctx); err != nil {
				parts[i].State, parts[i].Reason, parts[i].Detail = c.Failed, c.Reason, err.Error()
			}
		})
	}
	looking.Wait()
	return parts
}

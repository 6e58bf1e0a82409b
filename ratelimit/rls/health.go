package rls

import (
	"slices"
	"sync"

	"google.golang.org/grpc/health"
	healthv1 "google.golang.org/grpc/health/grpc_health_v1"

	"stoa/internal/fault"
)

// healthName is the service that gRPC health checks ask for. The empty name, also
// known to clients, always serves.
const healthName = "ratelimit"

// Health is the state of the whole: healthy when every part is.
type Health struct {
	grpc  *health.Server
	mu    sync.Mutex
	sound map[Part]bool
}

// Part is something that can be unwell.
type Part string

const (
	Started     Part = "started"     // until the gRPC port is open
	Backend     Part = "redis"       // where the check of active connections is on
	RulesLoaded Part = "config"      // where at least one domain is asked for
	Running     Part = "termination" // until the signal to end
)

// NewHealth makes a Health; the parts that begin unwell are named.
func NewHealth(unwell ...Part) *Health {
	h := &Health{grpc: health.NewServer(), sound: make(map[Part]bool)}
	for _, p := range unwell {
		h.sound[p] = false
	}
	h.tell()
	return h
}

// Set tells the state of a part.
func (h *Health) Set(p Part, sound bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sound[p] = sound
	h.tell()
}

// Unwell is the parts that are, sorted.
func (h *Health) Unwell() []Part {
	h.mu.Lock()
	defer h.mu.Unlock()
	var unwell []Part
	for p, sound := range h.sound {
		if !sound {
			unwell = append(unwell, p)
		}
	}
	slices.Sort(unwell)
	return unwell
}

// OK tells whether every part is well.
func (h *Health) OK() bool { return h.Err() == nil }

// Err is nil when every part is well.
func (h *Health) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ok() {
		return errUnwell
	}
	return nil
}

var errUnwell = fault.New(fault.Unavailable, "the rate limit service is not well")

func (h *Health) ok() bool {
	for _, sound := range h.sound {
		if !sound {
			return false
		}
	}
	return true
}

func (h *Health) tell() {
	status := healthv1.HealthCheckResponse_NOT_SERVING
	if h.ok() {
		status = healthv1.HealthCheckResponse_SERVING
	}
	h.grpc.SetServingStatus(healthName, status)
}

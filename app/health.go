package app

import (
	"context"
	"fmt"
	"slices"

	"stoa/internal/health"
	"stoa/ratelimit/rls"
)

// Health is how every room of the process is, with what it stands on: what /readyz of
// the debug port shows.
func (a *App) Health(ctx context.Context) []health.Part {
	var parts []health.Part
	for _, of := range a.health {
		parts = append(parts, of(ctx)...)
	}
	return parts
}

// health is how the rooms of an environment are.
func (e *environment) health(ctx context.Context) []health.Part {
	var parts []health.Part
	for _, r := range e.rooms {
		if e.open.Load() {
			parts = append(parts, r.service.Health(ctx)...)
			continue
		}
		parts = append(parts, health.Part{
			Environment: e.place.environment, Room: r.room, Name: "storage", State: health.Starting, Reason: "its storage is being opened",
		})
	}
	return parts
}

// ratelimitHealth is how the rate limit service is.
func ratelimitHealth(service *rls.Health) []health.Part {
	part := health.Part{Room: "ratelimit", Name: "service", State: health.OK}
	if unwell := service.Unwell(); len(unwell) > 0 {
		part.State, part.Reason = health.Down, "the rate limit service is not well"
		part.Detail = fmt.Sprint("not well: ", unwell)
		if slices.Contains(unwell, rls.Started) {
			part.State, part.Reason = health.Starting, "its rules are being read, or its counters do not answer yet"
		}
	}
	return []health.Part{part}
}

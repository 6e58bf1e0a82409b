package app

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"stoa/console"
	"stoa/internal/config"
	"stoa/internal/health"
	"stoa/polls"
	"stoa/video"
)

// withConsole puts the console of the environment beside its pages.
func (e *environment) withConsole(pages *polls.Service, own http.Handler) http.Handler {
	desk := console.New(console.Options{
		Environment: e.place.environment, Origin: pages.Origin, Version: e.app.cfg.Options.Version,
		Polls: pages, Video: e.video(), Doors: e.app.doors(e.video()),
		DB: e.store.db, Blobs: e.store.blobs, Queue: e.store.queue,
		Limits: e.limitSources(),
		Folder: e.place.folder, Health: e.ownHealth, Settings: e.app.settings(),
		Stats: e.app.stats, Log: e.app.log.With("environment", e.place.environment),
	}).Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if below(r.URL.Path, "/console") || below(r.URL.Path, "/api/operator") {
			desk.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	})
}

// limitSources is what limits requests here. The rate limit service has no environments:
// it is steered from the first.
func (e *environment) limitSources() []console.LimitSource {
	if e.place.environment != production {
		return e.limits
	}
	return slices.Concat(e.limits, e.app.rules)
}

// ownHealth is that of the environment, and of what it shares with the other one.
func (e *environment) ownHealth(ctx context.Context) []health.Part {
	return slices.DeleteFunc(e.app.Health(ctx), func(p health.Part) bool { return p.Environment != "" && p.Environment != e.place.environment })
}

// settings is all of the process: those with a name of ours, then variables with names
// of their own.
func (a *App) settings() []config.Setting {
	all := slices.Clone(a.cfg.Options.Settings)
	for _, v := range a.cfg.Variables {
		s := config.Setting{Name: v.Name, Value: v.Value, Origin: config.FromDefault}
		if v.Given {
			s.Origin, s.Place = config.FromVariable, v.Name
		}
		all = append(all, s)
	}
	return all
}

func below(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// video is the videos of the environment, if this process serves them.
func (e *environment) video() *video.Service {
	for _, r := range e.rooms {
		if service, ok := r.service.(*video.Service); ok {
			return service
		}
	}
	return nil
}

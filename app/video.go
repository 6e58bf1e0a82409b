package app

import (
	"context"
	"path/filepath"

	"stoa/internal/egress"
	"stoa/ratelimit"
	"stoa/video"
)

// openVideo prepares the videos of each environment, and lets publishers in.
func (a *App) openVideo() error {
	a.openIngest()
	return a.openVideos()
}

func (a *App) openVideos() error {
	environments, err := a.environments()
	if err != nil {
		return err
	}
	s := a.cfg.Settings
	for _, e := range environments {
		parts := videoParts{egress: egress.New(s.egressAllow())}
		if parts.decider, err = e.openVideoDecider(); err != nil {
			return err
		}
		r := &room{name: "video", room: video.Room, setting: "video_listen", listen: s.VideoListen, publicURL: s.VideoPublicURL, open: parts.open}
		if e.place.environment == Staging {
			r.setting, r.listen, r.publicURL = "second_video_listen", s.SecondVideoListen, s.SecondVideoPublicURL
		}
		e.rooms = append(e.rooms, r)
	}
	return nil
}

// openWork prepares the jobs of each environment, and nothing that people meet.
func (a *App) openWork() error {
	if err := a.openVideos(); err != nil {
		return err
	}
	for _, e := range a.known {
		e.worker = true
	}
	return nil
}

// videoParts is what the videos are made of beside their storage.
type videoParts struct {
	decider ratelimit.Decider // nil: nothing is limited
	egress  *egress.Dialer
}

func (p videoParts) open(ctx context.Context, e *environment, s *store, origin string) (roomService, error) {
	settings := e.app.cfg.Settings
	config := settings.Video
	if config.Scratch == "" {
		config.Scratch = filepath.Join(e.place.folder, "scratch")
	}
	service, err := video.New(ctx, video.Options{
		Config: config, Environment: e.place.environment, Origin: origin,
		Whip: e.app.whip(),
		DB:   s.db, Blobs: s.blobs, Box: s.box, Queue: s.queue, Decider: p.decider, Proxies: settings.proxies(), Egress: p.egress,
		Log: e.app.log.With("environment", e.place.environment), Stats: e.app.stats,
	})
	if err != nil || e.worker {
		return service, err
	}
	e.app.ingest.Admit(service)
	return service, e.welcomeDeveloper(ctx, service, origin)
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"stoa/internal/env"
	"stoa/internal/jobs"
	"stoa/internal/logs"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/video"
)

// Operator is a command that acts on one environment, whether a server runs or not.
type Operator struct {
	Storage     Storage
	Environment string
	Environ     map[string]string
	Stderr      io.Writer
}

// Polls opens the polls for a command.
func (o Operator) Polls(ctx context.Context, do func(*polls.Service) error) error {
	return o.open(ctx, func(s *store, log *slog.Logger) error {
		service, err := polls.New(ctx, polls.Options{
			Environment: o.Environment, DB: s.db, Blobs: s.blobs, Box: s.box, Log: log, Stats: stats.NewRegistry(),
		})
		if err != nil {
			return err
		}
		return do(service)
	})
}

// Video opens the videos for a command.
func (o Operator) Video(ctx context.Context, do func(*video.Service) error) error {
	return o.open(ctx, func(s *store, log *slog.Logger) error {
		service, err := video.New(ctx, video.Options{
			Environment: o.Environment, DB: s.db, Blobs: s.blobs, Box: s.box, Log: log, Stats: stats.NewRegistry(),
			Queue: jobs.New(s.db, jobs.Options{Log: log}),
		})
		if err != nil {
			return err
		}
		return do(service)
	})
}

// open opens the storage. It makes nothing: on a database that is not there, or older
// than this program, it says what to do.
func (o Operator) open(ctx context.Context, do func(*store, *slog.Logger) error) error {
	where, err := o.Storage.place(o.Environment)
	if err != nil {
		return err
	}
	if err := where.there(); err != nil {
		return err
	}
	log := logs.New(o.Stderr, "text", slog.LevelWarn)
	store, err := where.openFor(ctx, o.Environ, log)
	if err != nil {
		return err
	}
	defer store.Close()
	files, err := pending(ctx, store.db)
	if err != nil {
		return err
	}
	if files > 0 {
		return fmt.Errorf("the database of %s is not up to date: run stoa migrate, or start stoa serve", o.Environment)
	}
	return do(store, log)
}

// there is an error while nothing is kept at a place yet.
func (p place) there() error {
	if p.db.postgres() {
		return p.hasSecret()
	}
	if _, err := os.Stat(string(p.db)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no database at %s: run stoa migrate, or start stoa serve; STOA_DATA or STOA_DB names another place", p.environment, p.db)
	}
	return nil
}

// hasSecret keeps a command from making one: the keys of a new database would be sealed
// with it, and no server could open them.
func (p place) hasSecret() error {
	if p.secret != "" {
		return nil
	}
	name := filepath.Join(p.folder, "secret")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s has no secret at %s: set STOA_SECRET to that of its servers, or STOA_DATA to their folder", p.environment, name)
	}
	return nil
}

func (p place) openFor(ctx context.Context, environ map[string]string, log *slog.Logger) (*store, error) {
	var keys bucketKeys
	if err := env.Parse(&keys, environ); err != nil {
		return nil, err
	}
	return p.open(ctx, keys, log, stats.NewRegistry())
}

// Migrate brings the schema of every environment up to date, and tells of each how
// many files that took.
func Migrate(ctx context.Context, s Storage, environ map[string]string, stderr io.Writer, done func(environment string, files int)) error {
	for _, name := range Environments() {
		where, err := s.place(name)
		if err != nil && name == Staging {
			continue
		}
		if err := where.migrate(ctx, environ, logs.New(stderr, "text", slog.LevelWarn), done); err != nil {
			return err
		}
	}
	return nil
}

func (p place) migrate(ctx context.Context, environ map[string]string, log *slog.Logger, done func(environment string, files int)) error {
	store, err := p.openFor(ctx, environ, log)
	if err != nil {
		return err
	}
	defer store.Close()
	files, err := pending(ctx, store.db)
	if err != nil {
		return err
	}
	if err := store.migrate(ctx); err != nil {
		return err
	}
	done(p.environment, files)
	return nil
}

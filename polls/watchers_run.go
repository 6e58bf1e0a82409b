package polls

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// noticeChannel carries the numbers of changed polls between processes.
const noticeChannel = "stoa_polls"

// compareEvery is how often the watched polls are compared with the database:
// notices may be lost.
const compareEvery = time.Second

// watch keeps the streams of this process up to date with what other processes
// do, and tells those of what this one does.
func (s *Service) watch(ctx context.Context) error {
	defer s.watchers.end()
	if !s.db.Postgres() { // this process makes the changes, or learns of them in watchOthers
		<-ctx.Done()
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	notices := make(chan string, 16)
	g.Go(func() error {
		return s.db.Listen(ctx, noticeChannel, func(payload string) {
			select {
			case notices <- payload:
			default: // the database is slow; the next comparison finds it
			}
		}, func() {})
	})
	g.Go(func() error { return s.compareOften(ctx, notices) })
	g.Go(func() error { return every(ctx, tellEvery, func() { s.notify(ctx) }) })
	return g.Wait()
}

// compareOften compares all watched polls with the database every second, and those
// of a notice at once.
func (s *Service) compareOften(ctx context.Context, notices <-chan string) error {
	ticks := time.NewTicker(compareEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			s.compare(ctx, s.watchers.watchedPolls())
		case payload := <-notices:
			s.compare(ctx, s.watchedAmong(payload))
		}
	}
}

// every does something at intervals until the context ends.
func every(ctx context.Context, interval time.Duration, do func()) error {
	for ticks := time.NewTicker(interval); ; {
		select {
		case <-ctx.Done():
			ticks.Stop()
			return nil
		case <-ticks.C:
			do()
		}
	}
}

// notify tells other processes which polls have changed. It is done after the
// commit and for many polls at once: inside it, all commits would queue for one
// lock.
func (s *Service) notify(ctx context.Context) {
	const most = 400 // a payload has room for 8000 bytes
	for changed := s.watchers.takeChanged(); len(changed) > 0; {
		n := min(most, len(changed))
		var payload strings.Builder
		for _, id := range changed[:n] {
			payload.WriteString(strconv.FormatInt(id, 10))
			payload.WriteByte(' ')
		}
		changed = changed[n:]
		if err := s.db.Notify(ctx, noticeChannel, payload.String()); err != nil && ctx.Err() == nil {
			s.log.Warn("tell other processes of changed polls; they will find them within a second", "error", err)
			return
		}
	}
}

// watchedAmong is the polls of a notice that somebody watches here.
func (s *Service) watchedAmong(payload string) []int64 {
	watched := map[int64]bool{}
	for _, id := range s.watchers.watchedPolls() {
		watched[id] = true
	}
	var polls []int64
	for text := range strings.FieldsSeq(payload) {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && watched[id] {
			polls = append(polls, id)
		}
	}
	return polls
}

// compare reads how polls stand and tells their watchers what is new.
func (s *Service) compare(ctx context.Context, polls []int64) {
	if len(polls) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	states, err := s.readStates(ctx, polls)
	if err != nil {
		if !errors.Is(ctx.Err(), context.Canceled) {
			s.log.Warn("compare watched polls with the database", "error", err)
		}
		return
	}
	s.watchers.found(states)
}

// readStates reads how polls stand, all of them by one query.
func (s *Service) readStates(ctx context.Context, polls []int64) ([]raised, error) {
	ids := padded(polls)
	rows, err := s.db.Query(ctx, "SELECT "+pollHeadColumns+" FROM polls WHERE id IN ("+list(1, len(ids))+")", anys(ids)...)
	if err != nil {
		return nil, fmt.Errorf("read polls: %w", err)
	}
	defer rows.Close()
	var states []raised
	for rows.Next() {
		var p pollHead
		if err := rows.Scan(p.targets()...); err != nil {
			return nil, fmt.Errorf("read polls: %w", err)
		}
		states = append(states, p.raised())
	}
	return states, rows.Err()
}

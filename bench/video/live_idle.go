package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// idleViewers is how many wait for the next part of picture and sound.
const idleViewers = 200

// measureIdle measures viewers who ask for playlists all the time, and for nothing else.
func measureIdle(ctx context.Context, s settings, clip string) error {
	studio, err := openStudio(ctx, s.program)
	if err != nil {
		return err
	}
	defer studio.shut()
	stream, err := studio.newStream(ctx)
	if err != nil {
		return err
	}
	stop, err := push(ctx, clip, stream.ingest)
	if err != nil {
		return err
	}
	defer stop()
	if err := studio.awaitAir(ctx, stream); err != nil {
		return err
	}
	alone, err := measureAired(ctx, s, 1, studio.site)
	if err != nil {
		return err
	}
	t := newTable("viewers", "who ask", "lists per second", "CPU, % of a core", "wanted", "µs per list")
	for _, kind := range []struct {
		name string
		wait func(context.Context, *server, string, *atomic.Int64) error
	}{{"for each part, and wait for it", waitForParts}, {"every two seconds", askNowAndThen}} {
		watched, lists, err := watchIdle(ctx, s, studio, stream, kind.wait)
		if err != nil {
			return err
		}
		used := watched.cpu - alone.cpu
		t.add(fmt.Sprint(idleViewers), kind.name, fmt.Sprintf("%.0f", lists), fmt.Sprintf("%.1f", used/10), "< 10", fmt.Sprintf("%.0f", used*1000/lists))
	}
	fmt.Printf("\nLive: viewers who ask for playlists of picture and sound; the broadcast itself took %.1f ms a second\n\n", alone.cpu)
	return t.print()
}

// watchIdle measures a broadcast while viewers ask.
func watchIdle(ctx context.Context, s settings, studio *studio, stream liveStream, wait func(context.Context, *server, string, *atomic.Int64) error) (aired, float64, error) {
	lists, err := studio.site.listsOf(ctx, stream)
	if err != nil {
		return aired{}, 0, err
	}
	watching, leave := context.WithCancel(ctx)
	var viewers sync.WaitGroup
	var count atomic.Int64
	failed := make(chan error, 1)
	for range idleViewers {
		for _, list := range lists {
			viewers.Go(func() {
				if err := wait(watching, studio.site, list, &count); err != nil && watching.Err() == nil {
					select {
					case failed <- err:
					default:
					}
				}
			})
		}
	}
	before, start := count.Load(), time.Now()
	watched, err := measureAired(ctx, s, 1, studio.site)
	perSecond := float64(count.Load()-before) / time.Since(start).Seconds()
	leave()
	viewers.Wait()
	select {
	case err = <-failed:
	default:
	}
	return watched, perSecond, err
}

// listsOf are the playlists of all tracks.
func (s *server) listsOf(ctx context.Context, stream liveStream) (lists []string, err error) {
	master, there, err := s.isThere(ctx, "/live/"+stream.id+".m3u8")
	if err != nil || !there {
		return nil, fmt.Errorf("no master playlist: %w", err)
	}
	for _, name := range firstTracks(string(master)) {
		lists = append(lists, "/live/"+name)
	}
	return lists, nil
}

// idleClient has a connection for each list of each viewer.
var idleClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4 * idleViewers}}

var nextPart = regexp.MustCompile(`PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s`)

// waitForParts asks for what comes next, as players with low latency do.
func waitForParts(ctx context.Context, s *server, list string, count *atomic.Int64) error {
	query := ""
	for ctx.Err() == nil {
		text, err := s.list(ctx, list+query)
		if err != nil {
			return err
		}
		next := nextPart.FindSubmatch(text)
		if next == nil {
			return fmt.Errorf("%s names no next part", list)
		}
		query = fmt.Sprintf("?_HLS_msn=%s&_HLS_part=%s&_HLS_skip=YES", next[1], next[2])
		count.Add(1)
	}
	return nil
}

// askNowAndThen asks as older players do.
func askNowAndThen(ctx context.Context, s *server, list string, count *atomic.Int64) error {
	for ctx.Err() == nil {
		if _, err := s.list(ctx, list); err != nil {
			return err
		}
		count.Add(1)
		if err := rest(ctx, 2*time.Second); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) list(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Address+path, nil)
	if err != nil {
		return nil, err
	}
	w, err := idleClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", path, w.Status)
	}
	return text, err
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// compareLists measures a site with few videos and one with many.
func compareLists(ctx context.Context, s settings) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var sites []*server
	for _, videos := range []int{few, s.videos} {
		site, err := openLibrary(ctx, s.program, filepath.Join(dir, fmt.Sprint(videos)), videos)
		if err != nil {
			return err
		}
		defer site.stop()
		sites = append(sites, site)
	}
	t := newTable("what", "videos", "per second", "CPU µs", "ratio", "wanted", "p50 ms", "ratio", "wanted", "p99 ms")
	for _, w := range []workload{
		{"GET /videos", func(*server, int) string { return "/videos" }},
		{"GET /videos/{id}", func(of *server, n int) string { return "/videos/" + of.ids[n%len(of.ids)] }},
	} {
		rounds, err := takeTurns(ctx, s, sites, w)
		if err != nil {
			return err
		}
		for i, site := range sites {
			mine, base, wanted := rounds[site], rounds[sites[0]], ""
			if i > 0 {
				wanted = "≤ 1.5"
			}
			t.add(w.name, site.name, figure("%.0f", mine, perSecond), figure("%.1f", mine, cpuMicros), ratio(mine, base, cpuMicros), wanted,
				figure("%.2f", mine, p50), ratio(mine, base, p50), wanted, figure("%.2f", mine, p99))
		}
	}
	fmt.Printf("\nLists: %d callers\n\n", s.viewers)
	return t.print()
}

// openLibrary is a server that has so many videos.
func openLibrary(ctx context.Context, program, dir string, videos int) (*server, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	h, key, err := newHome(ctx, program, dir)
	if err != nil {
		return nil, err
	}
	if err := h.createFew(ctx, key); err != nil {
		return nil, err
	}
	ids, err := copyVideos(ctx, filepath.Join(h.data(), "stoa.db"), videos)
	if err != nil {
		return nil, fmt.Errorf("make %d videos: %w", videos, err)
	}
	site, err := h.serve(ctx, key)
	if err != nil {
		return nil, err
	}
	site.name, site.ids = fmt.Sprint(videos), ids
	return site, nil
}

// createFew makes a few videos as people do.
func (h *home) createFew(ctx context.Context, key string) error {
	site, err := h.serve(ctx, key)
	if err != nil {
		return err
	}
	defer site.stop()
	for n := range few {
		_, err := site.create(ctx, fmt.Sprintf(`{"title":"Film %d","description":"One of many films.","tags":["film","number %d"],
			"metadata":[{"key":"number","value":"%d"}]}`, n, n%10, n))
		if err != nil {
			return err
		}
	}
	return nil
}

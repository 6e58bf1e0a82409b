// Playertest serves player pages with a small video of its own, for the browser
// tests: a server whose videos need no encoding and whose states a test can set.
//
//	GET  /vod/{id}            the page; any id will do, and what it shows is in its query:
//	                          state, title, theme (a colour), live, panoramic, mp4, bare
//	GET  /vod/{id}/…          playlists, segments, captions, chapters, storyboard
//	PUT  /vod/{id}/segments   how many segments there are so far: the playlist grows
//	POST /watch               the collector
//	GET  /watched/{id}        the batches that came for a video
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"stoa/video/player"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "stoa-playertest-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := makeVideo(ctx, folder); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	s := &site{folder: folder, segments: map[string]int{}, watched: map[string][]batch{}}
	mux := http.NewServeMux()
	mux.Handle(player.AssetsPattern, player.Assets())
	mux.HandleFunc("GET /vod/{id}", s.getPage)
	mux.HandleFunc("GET /vod/{id}/hls/manifest.m3u8", s.getMaster)
	mux.HandleFunc("GET /vod/{id}/hls/{track}", s.getPlaylist)
	mux.HandleFunc("GET /vod/{id}/{file}", s.getFile)
	mux.HandleFunc("PUT /vod/{id}/segments", s.putSegments)
	mux.HandleFunc("GET /vod/{id}/air", s.getAir)
	mux.HandleFunc("POST /watch", s.postWatch)
	mux.HandleFunc("GET /watched/{id}", s.getWatched)
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	server := &http.Server{Handler: mux}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Fprintf(os.Stderr, "Listening for player on '%s'\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

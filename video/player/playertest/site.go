package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"stoa/video/player"
)

type site struct {
	folder string

	mu       sync.Mutex
	segments map[string]int // by video; a video that is not here is whole
	watched  map[string][]batch
}

type batch struct {
	ContentType string          `json:"contentType"`
	Body        json.RawMessage `json:"body"`
}

func (s *site) getPage(w http.ResponseWriter, r *http.Request) {
	id, q := r.PathValue("id"), r.URL.Query()
	base := "http://" + r.Host + "/vod/" + id
	p := player.Page{
		State: player.State(q.Get("state")), VideoID: id, Title: "Colours on the move", Description: "A test picture.", Language: "en",
		Duration: seconds, HLS: base + "/hls/manifest.m3u8", Poster: base + "/poster.jpg", Panoramic: q.Has("panoramic"), Live: q.Has("live"),
		Address: base, Collector: "http://" + r.Host,
	}
	if p.Live {
		p.Air = base + "/air"
		if p.State == player.Playable {
			p.Broadcast = broadcast
		}
	}
	if q.Has("title") {
		p.Title = q.Get("title")
	}
	if q.Has("mp4") {
		p.MP4 = base + "/source.mp4"
	}
	if !q.Has("bare") {
		p.Storyboard = base + "/storyboard.vtt"
		p.Captions = []player.Track{{Language: "en", Label: "English", Src: base + "/en.vtt"}, {Language: "ar", Label: "العربية", Src: base + "/ar.vtt"}}
		p.Chapters = []player.Track{{Language: "en", Src: base + "/chapters.vtt"}}
	}
	if colour := q.Get("theme"); colour != "" {
		p.Theme = player.Theme{TrackPlayed: colour, Link: colour, BackgroundBottom: "rgba(20, 0, 40, .9)", Logo: base + "/poster.jpg", LogoLink: "https://publisher.example/"}
	}
	if err := p.Write(w, http.StatusOK); err != nil {
		panic(err)
	}
}

// broadcast is the id of the only one that a live stream has here.
const broadcast = "broadcast"

func (s *site) getAir(w http.ResponseWriter, r *http.Request) {
	answer := map[string]string{"state": "live", "broadcast": broadcast}
	if n, whole := s.available(r.PathValue("id")); !whole && n == 0 {
		answer = map[string]string{"state": "waiting"}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

// available is how many segments a video has, and whether that is all.
func (s *site) available(id string) (n int, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, growing := s.segments[id]
	return n, !growing || n >= segmentCount
}

func (s *site) putSegments(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	n, err := strconv.Atoi(string(body))
	if err != nil {
		http.Error(w, "the body must be a number", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.segments[r.PathValue("id")] = n
	w.WriteHeader(http.StatusNoContent)
}

func (s *site) getMaster(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if n, whole := s.available(r.PathValue("id")); !whole && n == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/vnd.apple.mpegurl")
	fmt.Fprint(w, `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="a.m3u8"
#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,URI="../en.vtt.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=320x180,CODECS="avc1.42c00d,mp4a.40.2",AUDIO="a",SUBTITLES="s"
v1.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1600000,RESOLUTION=640x360,CODECS="avc1.42c01e,mp4a.40.2",AUDIO="a",SUBTITLES="s"
v0.m3u8
`)
}

// getPlaylist gives a track's playlist up to the segments that there are, without a
// word on where to begin, and what it names.
func (s *site) getPlaylist(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	name := r.PathValue("track")
	n, whole := s.available(r.PathValue("id"))
	if whole || filepath.Ext(name) != ".m3u8" {
		http.ServeFile(w, r, filepath.Join(s.folder, filepath.Base(name)))
		return
	}
	text, err := os.ReadFile(filepath.Join(s.folder, filepath.Base(name)))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	head, rest, _ := strings.Cut(string(text), "#EXTINF")
	head = strings.Replace(head, "PLAYLIST-TYPE:VOD", "PLAYLIST-TYPE:EVENT", 1)
	parts := strings.SplitAfter("#EXTINF"+strings.TrimSuffix(rest, "#EXT-X-ENDLIST\n"), ".m4s\n")
	w.Header().Set("Content-Type", "application/vnd.apple.mpegurl")
	fmt.Fprint(w, head, strings.Join(parts[:min(n, len(parts))], ""))
}

func (s *site) getFile(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	name := filepath.Base(r.PathValue("file"))
	if filepath.Ext(name) == ".vtt" {
		w.Header().Set("Content-Type", "text/vtt; charset=utf-8")
	}
	http.ServeFile(w, r, filepath.Join(s.folder, name))
}

func (s *site) postWatch(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
	var about struct{ Mid string }
	if err != nil || json.Unmarshal(body, &about) != nil {
		http.Error(w, "no batch", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watched[about.Mid] = append(s.watched[about.Mid], batch{r.Header.Get("Content-Type"), body})
	w.WriteHeader(http.StatusNoContent)
}

func (s *site) getWatched(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(append([]batch{}, s.watched[r.PathValue("id")]...))
}

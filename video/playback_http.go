package video

import (
	"net/http"
	"strconv"
	"strings"

	"stoa/internal/web"
	"stoa/video/internal/hls"
	"stoa/video/player"
)

// playbackRoutes are what viewers ask for. All files of a video are also below each of
// its tokens.
func (s *Service) playbackRoutes() web.Routes {
	routes := web.Routes{
		"GET /vod/{videoId}":                       s.getPlayerPage,
		"GET /vod/{videoId}/token/{token}/session": s.getSession,
		player.AssetsPattern: func(w http.ResponseWriter, r *http.Request) error {
			player.Assets().ServeHTTP(w, r)
			return nil
		},
	}
	for path, serve := range map[string]web.Handler{
		"hls/manifest.m3u8":  s.view(s.getMaster),
		"hls/{track}/{file}": s.getTrackFile,
		"mp4/source.mp4":     s.view(s.getMP4),
		"thumbnail.jpg":      s.view(s.getPoster),
		"captions/{file}":    s.view(s.getCaptionFile),
		"chapters/{file}":    s.view(s.getChapterFile),
		"storyboard.vtt":     s.view(s.getStoryboard),
		"storyboard/{file}":  s.viewLately(s.getSheet),
	} {
		routes["GET /vod/{videoId}/"+path] = serve
		routes["GET /vod/{videoId}/token/{token}/"+path] = serve
	}
	return routes
}

// getSession opens a session for a viewer without cookies. One who has a session gets
// it again. It works on a public video too, which may be private soon.
func (s *Service) getSession(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Cache-Control", "no-store")
	if err := s.gate.check(r); err != nil {
		return err
	}
	p, err := s.playbacks.now(r.Context(), r.PathValue("videoId"))
	if err != nil {
		return err
	}
	v := visit{s: s, w: w, r: r, of: visited{id: p.id}}
	if err := v.enter(r.PathValue("token")); err != nil {
		return err
	}
	return v.answerSession()
}

// getMaster answers 202 without a body as long as there is nothing to play: uploaders
// ask for it until that changes, and take anything else for a yes. That it never will
// is in a header, for the player page.
func (s *Service) getMaster(v *viewing) error {
	if !v.encoding.playable {
		v.w.Header().Set("Cache-Control", "no-store")
		if v.pageState() == player.Failed {
			v.w.Header().Set("X-Encoding", "failed")
			v.w.Header().Add("Access-Control-Expose-Headers", "X-Encoding")
		}
		v.w.WriteHeader(http.StatusAccepted)
		return nil
	}
	return v.servePlaylist("master", v.master)
}

func (v *viewing) servePlaylist(name string, text func(carry string) []byte) error {
	how := keepNot
	if v.ended() {
		how = keepBriefly
	}
	if err := v.begin(how); err != nil {
		return err
	}
	serveText(v.w, v.r, hls.ContentType, v.once(name, v.carry(), text))
	return nil
}

// getTrackFile serves what is in the folder of a track or of the subtitles: playlists,
// which grow, and files, which do not.
func (s *Service) getTrackFile(w http.ResponseWriter, r *http.Request) error {
	if strings.HasSuffix(r.PathValue("file"), ".m3u8") {
		return s.view(s.getTrackPlaylist)(w, r)
	}
	return s.viewLately(s.getSegment)(w, r)
}

func (s *Service) getTrackPlaylist(v *viewing) error {
	folder, file := v.r.PathValue("track"), v.r.PathValue("file")
	text := v.playlist(folder, file)
	if text == nil {
		return errNoFile
	}
	return v.servePlaylist(folder+"/"+file, text)
}

// getSegment serves a segment that is in the playlist, or the head of a track. One that
// is not there yet may still be made anew.
func (s *Service) getSegment(v *viewing) error {
	track, file := v.r.PathValue("track"), v.r.PathValue("file")
	number, ok := fileNumber(file, ".m4s")
	head, isHead := headNumber(file)
	switch {
	case isHead && v.hasTrack(track):
		return s.serveFixed(&v.visit, mediaType(track), headKey(v.id, track, head))
	case ok && number < len(v.segments[track]):
		return s.serveFixed(&v.visit, mediaType(track), segmentKey(v.id, track, number))
	}
	return errNoFile
}

// fileNumber is the number that a file is called by, written as we do.
func fileNumber(file, suffix string) (int, bool) {
	digits, found := strings.CutSuffix(file, suffix)
	n, err := strconv.Atoi(digits)
	return n, found && err == nil && n >= 0 && strconv.Itoa(n) == digits
}

package video

import (
	"errors"
	"net/http"

	"stoa/video/internal/language"
	"stoa/video/internal/problem"
	"stoa/video/player"
)

// getPlayerPage shows a video to people: alone, or in a frame on any site. A private
// video that the viewer may not see is told from none, as whoever has its address
// should know whom to ask, but nothing else is; both are answered as not found.
func (s *Service) getPlayerPage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.letIn(w, r, s.playbacks.now, queryValue(r, "token"))
	closed, _ := errors.AsType[*problem.Error](err)
	switch {
	case errors.Is(err, errReferrer), errors.Is(err, errCountry):
		w.Header().Set("Cache-Control", "no-store")
		return plain(w, closed.Status, closed.Title) // a person reads this
	case errors.Is(err, errNoVideo) && v != nil:
		return player.Page{State: player.Private}.Write(w, http.StatusNotFound)
	case errors.Is(err, errNoVideo):
		return player.Page{State: player.Gone}.Write(w, http.StatusNotFound)
	case err != nil:
		return err
	}
	err = v.begin("no-store")
	if errors.Is(err, errNoVideo) { // somebody else was a moment faster with the same token
		return player.Page{State: player.Private}.Write(w, http.StatusNotFound)
	}
	if err != nil {
		return err
	}
	return v.page().Write(w, http.StatusOK)
}

// page is the player with what there is of the video. Its addresses carry the session
// of a private one, as no cookie may come along in a frame.
func (v *viewing) page() player.Page {
	address := v.s.Origin + "/vod/" + v.id
	carry := v.carry()
	p := player.Page{
		State: v.pageState(), VideoID: v.id, Title: v.title, Description: v.description, Language: v.language,
		Panoramic: v.panoramic, Duration: v.seconds(),
		HLS: address + "/hls/manifest.m3u8" + carry, Theme: v.s.pageTheme(v.theme),
		Captions: pageTracks(v.captions, address+"/captions/", carry), Chapters: pageTracks(v.chapters, address+"/chapters/", carry),
		Collector: v.s.Origin, Address: address,
	}
	if v.hasMP4 {
		p.MP4 = address + "/mp4/source.mp4" + carry
	}
	if v.thumbnail != "" {
		p.Poster = address + "/thumbnail.jpg" + carry
	}
	if v.board.Pictures > 0 {
		p.Storyboard = address + "/storyboard.vtt" + carry
	}
	return p
}

// seconds is how long the video is, 0 when that is not known yet.
func (p *playback) seconds() float64 {
	if len(p.encoding.plan.Renditions) == 0 {
		return 0
	}
	return p.encoding.plan.Duration().Seconds()
}

func (p *playback) pageState() player.State {
	switch {
	case p.encoding.playable:
		return player.Playable
	case p.encoding.state == encodingFailed:
		return player.Failed
	}
	return player.Waiting
}

// pageTracks are tracks with the names that people know their languages by.
func pageTracks(tracks []track, folder, carry string) []player.Track {
	shown := make([]player.Track, len(tracks))
	for i, t := range tracks {
		label, known := language.Caption(t.language)
		if !known {
			label = t.language // chapters have more languages
		}
		shown[i] = player.Track{Language: t.language, Label: label, Src: folder + t.language + ".vtt" + carry, Default: t.isDefault}
	}
	return shown
}

func (s *Service) pageTheme(t *theme) player.Theme {
	if t == nil {
		return player.Theme{}
	}
	l := t.look
	shown := player.Theme{
		Text: l.Text, Link: l.Link, LinkHover: l.LinkHover, LinkActive: l.LinkActive, BackgroundText: l.BackgroundText,
		TrackPlayed: l.TrackPlayed, TrackUnplayed: l.TrackUnplayed, TrackBackground: l.TrackBackground,
		BackgroundTop: l.BackgroundTop, BackgroundBottom: l.BackgroundBottom,
		NoAPI: !l.EnableAPI, NoControls: !l.EnableControls, HideTitle: l.HideTitle, Autoplay: l.ForceAutoplay, Loop: l.ForceLoop,
	}
	if t.logo != "" {
		shown.Logo, shown.LogoLink = s.logoAddress(t), t.link
	}
	return shown
}

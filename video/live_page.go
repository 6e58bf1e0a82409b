package video

import (
	"errors"
	"net/http"

	"stoa/video/internal/encode"
	"stoa/video/internal/problem"
	"stoa/video/player"
)

// getLivePage shows a live stream to people, as getPlayerPage does a video.
func (s *Service) getLivePage(w http.ResponseWriter, r *http.Request) error {
	v, err := s.letWatch(w, r, s.channels.now, queryValue(r, "token"))
	closed, _ := errors.AsType[*problem.Error](err)
	switch {
	case errors.Is(err, errReferrer), errors.Is(err, errCountry):
		w.Header().Set("Cache-Control", "no-store")
		return plain(w, closed.Status, closed.Title) // a person reads this
	case errors.Is(err, errNoLiveStream) && v != nil:
		return player.Page{State: player.Private, Live: true}.Write(w, http.StatusNotFound)
	case errors.Is(err, errNoLiveStream):
		return player.Page{State: player.Gone, Live: true}.Write(w, http.StatusNotFound)
	case err != nil:
		return err
	}
	page, err := v.page()
	if err != nil {
		return err
	}
	err = v.begin("no-store")
	if errors.Is(err, errNoLiveStream) { // somebody else was a moment faster with the same token
		return player.Page{State: player.Private, Live: true}.Write(w, http.StatusNotFound)
	}
	if err != nil {
		return err
	}
	return page.Write(w, http.StatusOK)
}

// page is the player with what the stream does.
func (v *watching) page() (player.Page, error) {
	address, carry := v.s.Origin+"/live/"+v.id, v.carry()
	p := player.Page{
		State: player.Waiting, VideoID: v.id, Title: v.name, Live: true, HLS: address + playlistSuffix + carry,
		Theme: v.s.pageTheme(v.theme), Collector: v.s.Origin, Air: address + "/air" + carry, Address: address,
	}
	row, b, err := v.onNow()
	if err != nil && !errors.Is(err, errNoFile) {
		return p, err
	}
	if err == nil {
		p.State, p.Broadcast, p.Ended = player.Playable, row.id, row.ended
	}
	if v.thumbnail != "" || err == nil && v.s.ffmpeg != nil && b.hasPicture() {
		p.Poster = address + "/thumbnail.jpg" + carry
	}
	return p, nil
}

func (b *broadcast) hasPicture() bool {
	for _, name := range b.tracks() {
		if name != encode.AudioTrack {
			return true
		}
	}
	return false
}

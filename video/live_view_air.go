package video

import (
	"errors"
	"net/http"
	"strings"

	"stoa/video/internal/live"
	"stoa/video/internal/problem"
)

// What a live stream does.
const (
	airWaiting = "waiting" // nothing can be watched
	airLive    = "live"
	airAway    = "away"  // the publisher has gone, maybe for a moment
	airEnded   = "ended" // it can be watched again
)

// air is what a live stream does, and the broadcast that viewers see.
type air struct {
	State     string `json:"state"`
	Broadcast string `json:"broadcast,omitempty"`
}

// getAir tells pages what the stream does.
func (s *Service) getAir(v *watching) error {
	now, err := v.air()
	if err != nil {
		return err
	}
	if err := v.begin(keepNot); err != nil {
		return err
	}
	return problem.JSON(v.w, http.StatusOK, now)
}

func (v *watching) air() (air, error) {
	row, _, err := v.onNow()
	switch {
	case errors.Is(err, errNoFile):
		return air{State: airWaiting}, nil
	case err != nil:
		return air{}, err
	case row.ended:
		return air{airEnded, row.id}, nil
	case !v.broadcasting(v.checked):
		return air{airAway, row.id}, nil
	}
	return air{airLive, row.id}, nil
}

// onNow is the broadcast that viewers see: the newest that can begin, or errNoFile.
func (v *watching) onNow() (broadcastRow, *broadcast, error) {
	for _, row := range v.shows {
		b, err := v.s.followed(v.r.Context(), row)
		if err != nil {
			return row, nil, err
		}
		if b.canBegin() {
			return row, b, nil
		}
	}
	return broadcastRow{}, nil, errNoFile
}

// canBegin tells whether viewers can begin: when there is something of every track, as
// players look once which there are. After two segments nobody waits any more for a
// track that does not come.
func (b *broadcast) canBegin() bool {
	begun, all, longest := false, true, -1
	for _, name := range b.tracks() {
		w, _ := b.window(name)
		segment, _ := w.Newest()
		longest = max(longest, segment)
		begun, all = begun || segment >= 0, all && segment >= 0
	}
	return begun && (all || longest >= 2)
}

// getLiveMaster serves the playlist of playlists: of what is on air, or can be watched
// again.
func (s *Service) getLiveMaster(v *watching) error {
	if !strings.HasSuffix(v.r.PathValue("file"), playlistSuffix) {
		return errNoFile
	}
	row, b, err := v.onNow()
	if err != nil {
		return err
	}
	if err := v.begin(keepNot); err != nil {
		return err
	}
	begun := map[string]*live.Window{}
	for _, name := range b.tracks() {
		w, _ := b.window(name)
		if segment, _ := w.Newest(); segment >= 0 {
			begun[name] = w
		}
	}
	return writeList(v.w, live.Master(begun, func(track string) string {
		return v.id + "/" + row.id + "/" + track + "/" + listName + v.carry()
	}))
}

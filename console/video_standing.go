package console

import (
	"stoa/internal/fault"
	"stoa/video"
)

// standings is what the video API does not say of videos, or only of one at a time.
type standings struct {
	Restore bool       `json:"restore"` // deleted videos are discarded first
	Videos  []standing `json:"videos"`
}

type standing struct {
	VideoID   string  `json:"videoId"`
	State     string  `json:"state"`
	Share     float64 `json:"share"`
	Playable  bool    `json:"playable"`
	Duration  float64 `json:"duration"` // seconds
	Problem   string  `json:"problem,omitempty"`
	Poster    string  `json:"poster"`
	Watermark string  `json:"watermark,omitempty"`
}

func (c *Console) getVideoStandings(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	q := call.r.URL.Query()
	ids := q["id"]
	if len(ids) > video.MaxStandings {
		return fault.New(fault.Invalid, "ask for %d videos at most", video.MaxStandings)
	}
	found, err := c.Video.Standings(call.r.Context(), q.Get("project"), ids)
	if err != nil {
		return err
	}
	shown := standings{c.Video.Restore, make([]standing, len(found))}
	for i, s := range found {
		shown.Videos[i] = standing{s.VideoID, s.State, s.Share, s.Playable, s.Duration.Seconds(), s.Problem, s.Poster, s.Watermark}
	}
	return call.answer(shown)
}

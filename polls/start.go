package polls

import (
	"net/http"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/pages"
)

// Neighbours is what else is served beside the polls.
type Neighbours struct {
	VideoDocs          string // address of the description of the video API; "": it is not here
	OperatorDocs       string // the same of the operators' API
	VideoTitle, Player string // a video to show, and the address of its player; "": none
}

// startPolls is how many polls the start page shows: fewer than the list, for there is
// more on it, and in full rows of two and of three.
const startPolls = 6

// getStartPage is the front page for somebody who is not logged in.
func (s *Service) getStartPage(v *visit) error {
	page, err := s.recent(v.r.Context(), wire.MaxNumber, "")
	if err != nil {
		return err
	}
	view := pages.Start{Common: v.common}
	shown := page.polls[:min(len(page.polls), startPolls)]
	if view.Polls, err = s.pollViews(v.r.Context(), v, shown); err != nil {
		return err
	}
	if page.more || len(page.polls) > len(shown) {
		view.More = nextPage("/", shown[len(shown)-1].id, "")
	}
	s.introduce(v, &view)
	return s.render(v, http.StatusOK, view)
}

// introduce adds the neighbours. The page is there without them, too.
func (s *Service) introduce(v *visit, view *pages.Start) {
	if s.Neighbours == nil {
		return
	}
	n, err := s.Neighbours(v.r.Context())
	if err != nil {
		if v.r.Context().Err() == nil {
			s.log.Warn("look for a video for the start page", "request_id", web.RequestID(v.w), "error", err)
		}
		return
	}
	view.VideoDocs = n.VideoDocs
	if n.Player != "" {
		view.Video = &pages.StartVideo{Title: n.VideoTitle, Player: n.Player}
	}
}

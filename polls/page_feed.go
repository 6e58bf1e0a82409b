package polls

import (
	"net/http"
	"net/url"
	"strconv"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/pages"
)

// getFeedPage is the front page: the recent list, perhaps of one tag. Those who come
// for the first time are told where they are.
func (s *Service) getFeedPage(v *visit) error {
	view := pages.Feed{Common: v.common, Tag: v.form.Get("tag")}
	if view.Tag != "" {
		tag, err := text.Tag(view.Tag)
		if err != nil {
			return wire.Errorf(wire.Unknown, "tag", "there is no such tag")
		}
		view.Tag = tag
	}
	if v.viewer.account == nil && view.Tag == "" && v.number("before_poll_id") == 0 {
		return s.getStartPage(v)
	}
	page, err := s.recent(v.r.Context(), v.before(), view.Tag)
	if err != nil {
		return err
	}
	if view.Polls, err = s.pollViews(v.r.Context(), v, page.polls); err != nil {
		return err
	}
	if page.more {
		view.More = nextPage("/", page.polls[len(page.polls)-1].id, view.Tag)
	}
	return s.render(v, http.StatusOK, view)
}

// before is the number below which a list begins.
func (v *visit) before() int64 {
	if before := v.number("before_poll_id"); before != 0 {
		return before
	}
	return wire.MaxNumber
}

func nextPage(path string, before int64, tag string) string {
	query := url.Values{"before_poll_id": {strconv.FormatInt(before, 10)}}
	if tag != "" {
		query.Set("tag", tag)
	}
	return path + "?" + query.Encode()
}

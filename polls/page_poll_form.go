package polls

import (
	"net/http"
	"strconv"
	"time"

	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

// pollForm is a form of a poll's page on its way.
type pollForm struct {
	*visit
	poll   *pollCopy
	hasKey bool
	path   string // of the page, with the key of a private poll
}

// postPollPage does what a button of the page says, and leads back to it. With
// script only the API is asked.
func (s *Service) postPollPage(v *visit) error {
	p, hasKey, err := s.visited(v)
	if err != nil {
		return err
	}
	f := &pollForm{v, p, hasKey, s.pollView(p.poll, v.user(), hasKey).Path}
	v.common.Here = f.path
	switch action := v.form.Get("action"); action {
	case "vote":
		return s.voteByForm(f, parseID(v.form.Get("option")))
	case "remove":
		return s.removeByForm(f)
	case "comment", "delete_comment", "favorite", "unfavorite", "delete":
		return needAccount(func(*visit) error { return s.changeByForm(f, action) })(v)
	}
	return errNoAction
}

func (s *Service) voteByForm(f *pollForm, option int64) error {
	if option != 1 && option != 2 {
		return s.pollFormRefused(f, wire.Errorf(wire.InvalidParameter, "option", "choose one of the two, then press the button again"), ":option")
	}
	if f.viewer.voter == "" {
		if err := s.becomeViewer(f.visit); err != nil {
			return s.pollFormRefused(f, err, ":option")
		}
	}
	return s.castByForm(f, int(option))
}

// removeByForm takes a vote back. Somebody unknown has none.
func (s *Service) removeByForm(f *pollForm) error {
	if f.viewer.voter == "" {
		return f.goTo(f.path)
	}
	return s.castByForm(f, 0)
}

func (s *Service) castByForm(f *pollForm, choice int) error {
	err := s.withinVotes(&f.call, f.poll.id, choice)
	if err == nil {
		_, err = s.box.cast(f.r.Context(), &ballot{
			poll: f.poll.id, voter: f.viewer.voter, user: f.user(), choice: choice, hasKey: f.hasKey, at: time.Now(),
		})
	}
	if err != nil {
		return s.pollFormRefused(f, err, ":option")
	}
	return f.goTo(f.path)
}

// changeByForm does what only accounts may.
func (s *Service) changeByForm(f *pollForm, action string) error {
	ctx, by := f.r.Context(), f.viewer.account
	if action == "comment" {
		return s.commentByForm(f)
	}
	if err := s.within(&f.call, limits.Call{Route: limits.Write}); err != nil {
		return err
	}
	var err error
	to := f.path
	switch action {
	case "delete_comment":
		err, to = s.deleteComment(ctx, by, f.poll.id, f.hasKey, f.number("comment_id")), withNotice(f.path, "comment")+"#comments"
	case "favorite", "unfavorite":
		_, err = s.setFavorite(ctx, by, f.poll.id, f.hasKey, action == "favorite")
	case "delete":
		err, to = s.deletePoll(ctx, by, f.poll.id, f.hasKey), withNotice("/", "deleted")
	}
	if err != nil {
		return err
	}
	return f.goTo(to)
}

func (s *Service) commentByForm(f *pollForm) error {
	err := s.within(&f.call, limits.Call{Route: limits.Comment})
	if err == nil {
		var said *comment
		if said, err = s.addComment(f.r.Context(), f.viewer.account, f.poll.id, f.hasKey, f.form.Get("body")); err == nil {
			return f.goTo(f.path + "#comment-" + strconv.FormatInt(said.id, 10))
		}
	}
	return s.pollFormRefused(f, err, ":body")
}

// pollFormRefused shows the page again, with what was typed.
func (s *Service) pollFormRefused(f *pollForm, err error, names ...string) error {
	errs, status := s.formErrors(f.visit, err, names...)
	if status == http.StatusNotFound {
		return err
	}
	view, err := s.pollPageView(f.visit, f.poll, f.hasKey)
	if err != nil {
		return err
	}
	view.Errors, view.CommentBody = errs, f.form.Get("body")
	return s.render(f.visit, status, view)
}

// becomeViewer makes a visitor without account somebody who can vote. It counts
// like an id that was asked for, so that pages are no way around the limit.
func (s *Service) becomeViewer(v *visit) error {
	if err := s.within(&v.call, limits.Call{Route: limits.Mint}); err != nil {
		return err
	}
	id := s.keys.Mint(time.Now()).Reveal()
	s.keepAnonymous(v.w, id)
	var err error
	v.viewer, err = s.byAnonymousID(id)
	return err
}

// postViewer gives a browser the cookie that tells voters without account apart.
// The script of our pages asks for it before the first vote.
func (s *Service) postViewer(v *visit) error {
	if v.viewer.voter == "" {
		if err := s.becomeViewer(v); err != nil {
			return err
		}
	}
	v.w.WriteHeader(http.StatusNoContent)
	return nil
}

package polls

import (
	"net/http"

	"stoa/polls/internal/wire"
	"stoa/polls/limits"
	"stoa/polls/pages"
)

// profilePage is how many polls a profile shows at a time.
const profilePage = 10

// getProfilePage is a person and their polls.
func (s *Service) getProfilePage(v *visit) error {
	ctx := v.r.Context()
	who, err := s.profile(ctx, v.r.PathValue("username"))
	if err != nil {
		return err
	}
	polls, _, err := s.createdPolls(ctx, createdList{username: who.Username, viewer: v.user(), before: v.before(), limit: profilePage + 1})
	if err != nil {
		return err
	}
	view := pages.Profile{
		Common: v.common, Person: s.personView(person{who.UserID, who.Username, who.Name}), LargePhoto: who.ProfilePhotoLarge,
		Location: who.Location, Website: who.Website, About: who.About, PollsCreated: who.PollsCreatedCount,
		VotesReceived: who.VotesReceivedCount, FollowedBy: who.FollowedByCount, Following: who.FollowingCount,
		Self: who.UserID == v.user(),
	}
	if len(polls) > profilePage {
		polls = polls[:profilePage]
		view.More = nextPage("/users/"+who.Username, polls[profilePage-1].id, "")
	}
	if view.Polls, err = s.pollViews(ctx, v, polls); err != nil {
		return err
	}
	if view.Follows, err = readFollows(ctx, s.db, v.user(), who.UserID); err != nil {
		return err
	}
	return s.render(v, http.StatusOK, view)
}

// postProfilePage follows somebody, or stops it.
func (s *Service) postProfilePage(v *visit) error {
	if err := s.within(&v.call, limits.Call{Route: limits.Write}); err != nil {
		return err
	}
	action := v.form.Get("action")
	if action != "follow" && action != "unfollow" {
		return errNoAction
	}
	username := v.r.PathValue("username")
	if err := s.setFollow(v.r.Context(), v.viewer.account, username, action == "follow"); err != nil {
		return err
	}
	return v.goTo("/users/" + username)
}

var errNoAction = wire.Errorf(wire.InvalidParameter, "action", "this page has no such button; open it again")

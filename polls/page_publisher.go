package polls

import (
	"fmt"
	"net/http"

	"stoa/polls/limits"
	"stoa/polls/pages"
)

func (s *Service) getNewPublisherPage(v *visit) error {
	if team := v.common.Viewer.Publisher; team != nil { // nobody is in two
		return v.goTo("/publishers/" + team.Name)
	}
	return s.render(v, http.StatusOK, pages.NewPublisher{Common: v.common})
}

func (s *Service) postNewPublisherPage(v *visit) error {
	name, displayName := v.form.Get("name"), v.form.Get("display_name")
	var p Publisher
	err := s.within(&v.call, limits.Call{Route: limits.Write})
	if err == nil {
		p, err = s.createPublisher(v.r.Context(), v.user(), name, displayName)
	}
	if err != nil {
		errs, status := s.formErrors(v, err, "name", "display_name")
		return s.render(v, status, pages.NewPublisher{Common: v.common, Name: name, DisplayName: displayName, Errors: errs})
	}
	return v.goTo("/publishers/" + p.Name)
}

// getPublisherPage is the area of a team.
func (s *Service) getPublisherPage(v *visit) error {
	view, err := s.publisherView(v)
	if err != nil {
		return err
	}
	return s.render(v, http.StatusOK, view)
}

// team is the publisher whose area is visited, which only its team may.
func (s *Service) team(v *visit) (Publisher, error) {
	return teamOf(v.r.Context(), s.db, v.publisherName(), v.user())
}

func (s *Service) publisherView(v *visit) (*pages.Publisher, error) {
	ctx := v.r.Context()
	p, err := s.team(v)
	if err != nil {
		return nil, err
	}
	view := &pages.Publisher{Common: v.common, PublisherName: pages.PublisherName{Name: p.Name, DisplayName: p.DisplayName}}
	team, err := s.Team(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	for _, m := range team {
		view.Team = append(view.Team, pages.Member{Person: s.personView(person{m.UserID, m.Username, m.Name}), Owner: m.Owner})
		view.Owner = view.Owner || m.Owner && m.UserID == v.user()
	}
	sets, err := s.PollSets(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		view.Sets = append(view.Sets, pages.SetLine{ID: set.ID, Name: set.Name, DisplayName: set.DisplayName, Polls: len(set.Polls), Updated: set.Updated})
	}
	embeds, err := s.Embeds(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	for _, e := range embeds {
		view.Embeds = append(view.Embeds, pages.Embed{Name: e.Name, Target: e.Target.words(), Preview: e.Path, Script: e.Script, Iframe: e.Iframe})
	}
	slots, err := s.Placements(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	for _, slot := range slots {
		view.Placements = append(view.Placements, pages.Placement{Name: slot.Name, Target: slot.Target.words(), Preview: slot.Path, Script: slot.Script, Iframe: slot.Iframe})
	}
	return view, nil
}

// words is the target as a person reads it.
func (t *Target) words() string {
	kind := map[TargetKind]string{TargetPoll: "Poll", TargetPollSet: "Poll set", TargetTag: "Tag"}[t.Kind]
	if t.Title == "" {
		return fmt.Sprintf("%s %d, which is gone", kind, t.ID)
	}
	return kind + ": " + t.Title
}

// getStatisticsPage is what the embeds of a team have reached.
func (s *Service) getStatisticsPage(v *visit) error {
	p, err := s.team(v)
	if err != nil {
		return err
	}
	all, err := s.Statistics(v.r.Context(), p.Name)
	if err != nil {
		return err
	}
	view := pages.Statistics{
		Common: v.common, PublisherName: pages.PublisherName{Name: p.Name, DisplayName: p.DisplayName},
		Views: all.Total.Views, Viewers: all.Total.Viewers, Votes: all.Total.Votes, Voters: all.Total.Voters, TimeVoting: all.Total.TimeVoting(),
	}
	for _, e := range all.Embeds {
		view.Embeds = append(view.Embeds, pages.EmbedNumbers{
			Name: e.Name, Target: e.Target.words(), Views: e.Views, Viewers: e.Viewers, Votes: e.Votes, Voters: e.Voters,
			PercentVoters: e.PercentVoters(), VotesPerVoter: e.VotesPerVoter(), SecondsPerVoter: e.SecondsPerVoter(),
			TimeVoting: e.TimeVoting(), FirstVote: e.FirstVote, LastVote: e.LastVote,
		})
	}
	return s.render(v, http.StatusOK, view)
}

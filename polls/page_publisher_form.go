package polls

import (
	"regexp"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
	"stoa/polls/pages"
)

// postPublisherPage changes the team, an embed or a placement.
func (s *Service) postPublisherPage(v *visit) error {
	ctx, by, publisher := v.r.Context(), v.user(), v.publisherName()
	p, err := s.team(v)
	if err != nil {
		return err
	}
	v.common.Here = "/publishers/" + p.Name
	if err := s.within(&v.call, limits.Call{Route: limits.Write}); err != nil {
		return err
	}
	action, done := v.form.Get("action"), "team"
	switch action {
	case "add_member":
		err = s.addMember(ctx, by, publisher, v.form.Get("username"))
	case "remove_member":
		err = s.removeMember(ctx, by, publisher, v.form.Get("username"))
	case "create_embed":
		err, done = s.embedByForm(v), "embed"
	case "set_placement":
		err, done = s.placementByForm(v), "placement"
	default:
		return errNoAction
	}
	if err != nil {
		return s.publisherRefused(v, action, err)
	}
	return v.goTo(withNotice("/publishers/"+p.Name, done))
}

func (s *Service) embedByForm(v *visit) error {
	want, err := v.wantedTarget()
	if err == nil {
		_, err = s.createEmbed(v.r.Context(), v.user(), v.publisherName(), v.form.Get("embed_name"), want)
	}
	return err
}

func (s *Service) placementByForm(v *visit) error {
	want, err := v.wantedTarget()
	if err == nil {
		_, err = s.setPlacement(v.r.Context(), v.user(), v.publisherName(), v.form.Get("placement"), want)
	}
	return err
}

// wantedTarget is the target that a form picks.
func (v *visit) wantedTarget() (want wantedTarget, err error) {
	switch v.form.Get("target") {
	case "set":
		return wantedTarget{kind: TargetPollSet, id: v.number("poll_set_id")}, nil
	case "tag":
		tag, err := needText("tag", v.form.Get("tag"), text.Tag)
		return wantedTarget{kind: TargetTag, tag: tag}, err
	case "poll", "":
		id := pollInText(v.form.Get("poll"))
		if id == 0 {
			err = wire.Errorf(wire.InvalidParameter, "poll_id", "give the number of a poll, or the address of its page")
		}
		return wantedTarget{kind: TargetPoll, id: id}, err
	}
	return want, wire.Errorf(wire.InvalidParameter, "target", "pick a poll, a poll set or a tag")
}

var pollAddress = regexp.MustCompile(`(?:^|/)([0-9]+)(?:[-?#/]|$)`)

// pollInText is the poll that somebody named by its number or the address of its
// page, 0 for none.
func pollInText(typed string) int64 {
	found := pollAddress.FindStringSubmatch(typed)
	if found == nil {
		return parseID(typed)
	}
	return parseID(found[1])
}

// publisherRefused shows the area again, with what was typed.
func (s *Service) publisherRefused(v *visit, action string, err error) error {
	refusal := err
	view, err := s.publisherView(v)
	if err != nil {
		return err
	}
	status := 0
	typed := pages.TargetForm{
		Target: v.form.Get("target"), Poll: v.form.Get("poll"), Tag: v.form.Get("tag"), PollSetID: v.number("poll_set_id"),
	}
	switch action {
	case "create_embed":
		view.Embed = typed
		view.Embed.Name = v.form.Get("embed_name")
		view.EmbedErrors, status = s.formErrors(v, refusal, "embed_name", "target", "poll_id:poll", "poll_set_id", "tag")
	case "set_placement":
		view.Placement = typed
		view.Placement.Name = v.form.Get("placement")
		view.PlacementErrors, status = s.formErrors(v, refusal, "placement", "target", "poll_id:poll", "poll_set_id", "tag")
	default:
		view.Member = v.form.Get("username")
		view.TeamErrors, status = s.formErrors(v, refusal, ":username")
	}
	return s.render(v, status, view)
}

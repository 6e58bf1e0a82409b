package polls

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"stoa/polls/internal/wire"
	"stoa/polls/limits"
	"stoa/polls/pages"
)

// setForm is a poll set as it is being made or changed.
type setForm struct {
	*visit
	publisher Publisher
	id        int64 // 0: a new one
	wish      PollSetChange
}

// getPollSetPage shows a set to be changed, or an empty form for a new one.
func (s *Service) getPollSetPage(v *visit) error {
	f, err := s.openSetForm(v)
	if err != nil {
		return err
	}
	return s.renderSet(f, http.StatusOK, "", nil)
}

// openSetForm reads the set that a page is about, which must be the team's.
func (s *Service) openSetForm(v *visit) (*setForm, error) {
	p, err := s.team(v)
	if err != nil {
		return nil, err
	}
	f := &setForm{visit: v, publisher: p}
	if !strings.Contains(v.r.Pattern, "{set_id}") {
		return f, nil
	}
	f.id = parseID(v.r.PathValue("set_id"))
	sets, err := s.PollSets(v.r.Context(), p.Name)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sets, func(set PollSet) bool { return set.ID == f.id })
	if i < 0 {
		return nil, errNoPollSet
	}
	f.wish = PollSetChange{sets[i].Name, sets[i].DisplayName, sets[i].Polls}
	return f, nil
}

// postPollSetPage saves or deletes a set. All other buttons only show the form
// again, changed.
func (s *Service) postPollSetPage(v *visit) error {
	f, err := s.openSetForm(v)
	if err != nil {
		return err
	}
	if err := s.within(&v.call, limits.Call{Route: limits.Write}); err != nil {
		return err
	}
	area := "/publishers/" + f.publisher.Name
	if v.form.Has("delete_set") && f.id != 0 {
		if err := s.removePollSet(v.r.Context(), v.user(), f.publisher.Name, f.id); err != nil {
			return err
		}
		return v.goTo(withNotice(area, "set_gone"))
	}
	f.readWish()
	pressed, typed, err := f.press()
	switch {
	case err != nil:
		errs, status := s.formErrors(v, err, "poll_ids", "add")
		return s.renderSet(f, status, typed, errs)
	case pressed:
		return s.renderSet(f, http.StatusOK, typed, nil)
	}
	if err := s.saveSet(f); err != nil {
		errs, status := s.formErrors(v, err, "name", "display_name", "poll_ids")
		return s.renderSet(f, status, v.form.Get("add"), errs)
	}
	return v.goTo(withNotice(area, "set"))
}

// readWish reads the set as the form has it.
func (f *setForm) readWish() {
	f.wish = PollSetChange{Name: f.form.Get("name"), DisplayName: f.form.Get("display_name"), Polls: []int64{}}
	for _, typed := range f.form["poll_id"] {
		if id := parseID(typed); id != 0 && len(f.wish.Polls) <= maxSetPolls {
			f.wish.Polls = append(f.wish.Polls, id)
		}
	}
}

// press does what a button says that only changes the form. Otherwise none was
// pressed. What is typed and not used yet is kept.
func (f *setForm) press() (pressed bool, typed string, err error) {
	polls, typed := f.wish.Polls, f.form.Get("add")
	switch {
	case f.form.Has("move_up"):
		if i := slices.Index(polls, f.number("move_up")); i > 0 {
			polls[i-1], polls[i] = polls[i], polls[i-1]
		}
	case f.form.Has("move_down"):
		if i := slices.Index(polls, f.number("move_down")); i >= 0 && i+1 < len(polls) {
			polls[i], polls[i+1] = polls[i+1], polls[i]
		}
	case f.form.Has("remove"):
		f.wish.Polls = slices.DeleteFunc(polls, func(id int64) bool { return id == f.number("remove") })
	case f.form.Has("add_own"):
		f.add(f.number("add_own"))
	case f.form.Has("add_polls"):
		for _, word := range strings.FieldsFunc(typed, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
			id := pollInText(word)
			if id == 0 {
				return true, typed, wire.Errorf(wire.InvalidParameter, "add", "“%s” is neither the number of a poll nor the address of its page", word)
			}
			f.add(id)
		}
		typed = ""
	default:
		return false, typed, nil
	}
	return true, typed, nil
}

func (f *setForm) add(id int64) {
	if !slices.Contains(f.wish.Polls, id) && len(f.wish.Polls) <= maxSetPolls {
		f.wish.Polls = append(f.wish.Polls, id)
	}
}

func (s *Service) saveSet(f *setForm) error {
	ctx := f.r.Context()
	if err := f.wish.check(true); err != nil { // what is empty does not stay as it is
		return err
	}
	var err error
	if f.id == 0 {
		_, err = s.createPollSet(ctx, f.user(), f.publisher.Name, f.wish)
	} else {
		_, err = s.changePollSet(ctx, f.user(), f.publisher.Name, f.id, f.wish)
	}
	return err
}

// ownPolls is how many polls of one's own are offered.
const ownPolls = 50

func (s *Service) renderSet(f *setForm, status int, add string, errs pages.Errors) error {
	ctx := f.r.Context()
	view := &pages.PollSet{
		Common: f.common, Publisher: pages.PublisherName{Name: f.publisher.Name, DisplayName: f.publisher.DisplayName},
		ID: f.id, Name: f.wish.Name, DisplayName: f.wish.DisplayName, Add: add, Errors: errs,
	}
	missing, err := s.addSetPolls(ctx, view, f.wish.Polls)
	if err != nil {
		return err
	}
	if len(missing) > 0 && errs == nil {
		view.Errors = pages.Errors{"add": "There is no public poll " + strings.Join(missing, ", ") + "."}
	}
	own, _, err := s.createdPolls(ctx, createdList{username: f.viewer.account.username, before: wire.MaxNumber, limit: ownPolls})
	if err != nil {
		return err
	}
	for _, p := range own {
		if !slices.Contains(f.wish.Polls, p.id) {
			view.Own = append(view.Own, s.setPollView(p))
		}
	}
	return s.render(f.visit, status, view)
}

// addSetPolls fills in the polls of a set, and tells which of them nobody can see.
func (s *Service) addSetPolls(ctx context.Context, view *pages.PollSet, ids []int64) (missing []string, err error) {
	polls, err := s.readyCopies(ctx, ids)
	if err != nil {
		return nil, err
	}
	byID := map[int64]*pollCopy{}
	for _, p := range polls {
		byID[p.id] = p
	}
	for _, id := range ids {
		if p := byID[id]; p != nil && p.public() {
			view.Polls = append(view.Polls, s.setPollView(p))
		} else {
			missing = append(missing, strconv.FormatInt(id, 10))
		}
	}
	return missing, nil
}

func (s *Service) setPollView(p *pollCopy) pages.SetPoll {
	return pages.SetPoll{ID: p.id, Caption: p.caption, Image: s.encoder.imageURL(p.image, "medium")}
}

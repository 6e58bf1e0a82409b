package polls

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/pages"
)

// servePollPage is the page of a poll, and all other paths of one part.
func (s *Service) servePollPage(w http.ResponseWriter, r *http.Request) error {
	if _, ok := pollInPath(r.PathValue("poll")); !ok {
		s.notFound().ServeHTTP(w, r)
		return nil
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return s.show(s.getPollPage)(w, r)
	case http.MethodPost:
		return s.take(s.postPollPage)(w, r)
	}
	wire.MethodNotAllowed(w, r, "GET, HEAD, POST")
	return nil
}

// pollInPath is the number in 815 or 815-tabs-or-spaces.
func pollInPath(part string) (id int64, ok bool) {
	number, _, _ := strings.Cut(part, "-")
	id = parseID(number)
	return id, id > 0 && strconv.FormatInt(id, 10) == number
}

// visited is the poll whose page is visited, if the visitor may see it.
func (s *Service) visited(v *visit) (p *pollCopy, hasKey bool, err error) {
	id, _ := pollInPath(v.r.PathValue("poll"))
	key := v.r.URL.Query().Get("k")
	hasKey = key != "" && s.keys.OpensPoll(id, key)
	p, err = s.copies.poll(v.r.Context(), id)
	if err == nil && (p == nil || !p.visibleTo(v.user(), hasKey)) {
		err = errPollNotFound(id)
	}
	return p, hasKey, err
}

// getPollPage shows a poll. With another slug, or none, it leads to the address
// that the poll has.
func (s *Service) getPollPage(v *visit) error {
	p, hasKey, err := s.visited(v)
	if err != nil {
		return err
	}
	path := "/" + strconv.FormatInt(p.id, 10)
	if slug := text.Slug(p.caption); slug != "" {
		path += "-" + slug
	}
	if v.r.URL.Path != path {
		if v.r.URL.RawQuery != "" {
			path += "?" + v.r.URL.RawQuery
		}
		v.w.Header().Set("Cache-Control", "private, no-cache")
		http.Redirect(v.w, v.r, path, http.StatusMovedPermanently)
		return nil
	}
	view, err := s.pollPageView(v, p, hasKey)
	if err != nil {
		return err
	}
	return s.render(v, http.StatusOK, view)
}

func (s *Service) pollPageView(v *visit, p *pollCopy, hasKey bool) (*pages.PollPage, error) {
	ctx, user := v.r.Context(), v.user()
	view := &pages.PollPage{
		Common: v.common, Poll: s.pollView(p.poll, user, hasKey), Favorites: p.favoriteCount,
		Sources: sourceViews(p.sources), RecentVotes: s.voteViews(p.recent),
		CanDelete: user == p.creator || v.viewer.operator(),
	}
	view.Large, view.Shown = true, v.form.Get("results") == "1"
	view.ShortURL = s.encoder.shortURL(p.poll, view.Key != "")
	own, err := readOwnVotes(ctx, s.db, v.viewer.voter, []int64{p.id})
	if err != nil {
		return nil, err
	}
	view.UserVote = own[p.id]
	if view.Favorite, err = readFavorite(ctx, s.db, user, p.id); err != nil {
		return nil, err
	}
	if view.Tags, err = readTagsOf(ctx, s.db, p.id); err != nil {
		return nil, err
	}
	return view, s.addComments(ctx, view, v, p)
}

// addComments fills in the newest comments, or those before one.
func (s *Service) addComments(ctx context.Context, view *pages.PollPage, v *visit, p *pollCopy) error {
	comments, more := p.comments, p.commentCount > int64(len(p.comments))
	if before := v.number("before_comment_id"); before != 0 {
		older, err := readComments(ctx, s.db, p.id, before, shownComments+1)
		if err != nil {
			return err
		}
		more = len(older) > shownComments
		comments = older[:min(len(older), shownComments)]
		slices.Reverse(comments)
	}
	for _, c := range comments {
		view.CommentList = append(view.CommentList, pages.Comment{
			ID: c.id, Person: s.personView(c.by), Body: c.body, Date: c.created,
			CanDelete: v.user() != 0 && (v.user() == c.by.id || v.user() == p.creator || v.viewer.operator()),
		})
	}
	if more && len(comments) > 0 {
		joint := "?"
		if view.Key != "" {
			joint = "&"
		}
		view.OlderComments = view.Path + joint + "before_comment_id=" + strconv.FormatInt(comments[0].id, 10) + "#comments"
	}
	return nil
}

func sourceViews(sources [2]imageSource) (views []pages.Source) {
	for _, source := range sources {
		if source != (imageSource{}) {
			public := source.publicDomain != nil && *source.publicDomain
			views = append(views, pages.Source{FullURL: source.fullURL, ContextURL: source.contextURL, PublicDomain: public})
		}
	}
	return views
}

func (s *Service) voteViews(votes []recentVote) (views []pages.Vote) {
	for _, vote := range votes {
		view := pages.Vote{Choice: vote.choice, Date: vote.changed}
		if vote.by != nil {
			view.Person = s.personView(*vote.by)
		} else {
			view.Photo = s.encoder.portrait(0, smallPortrait)
		}
		views = append(views, view)
	}
	return views
}

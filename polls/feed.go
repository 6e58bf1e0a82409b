package polls

import (
	"bytes"
	"context"
	"fmt"

	"stoa/internal/fault"
	"stoa/polls/internal/wire"
)

// feedSize is how many polls a page of the recent list has.
const feedSize = 10

// feedPage is a page of the recent list, ready to be sent. It is never changed.
type feedPage struct {
	feed, people int64 // the marks before its members were read
	members      []int64
	more         bool        // others follow
	polls        []*pollCopy // the members as they were
	body         []byte
}

// recent is the page of the recent list with the polls below a number, perhaps only
// those with a tag.
func (s *Service) recent(ctx context.Context, before int64, tag string) (*feedPage, error) {
	if before >= wire.MaxNumber && tag == "" {
		return s.frontPage(ctx)
	}
	return s.readPage(ctx, feedPage{}, before, tag)
}

// frontPage is the first page, which everybody asks for. It is remembered: as long
// as nothing changes, it costs a look at ten copies.
func (s *Service) frontPage(ctx context.Context) (*feedPage, error) {
	old := s.front.Load()
	now, err := s.copies.ask(ctx, old.members...)
	if err != nil {
		return nil, err
	}
	var page *feedPage
	if old.feed == now.feed && old.people == now.people {
		page, err = s.fillPage(ctx, old, now)
	}
	if page == nil && err == nil {
		page, err = s.readPage(ctx, feedPage{feed: now.feed, people: now.people}, wire.MaxNumber, "")
	}
	if err == nil && page != old {
		s.front.Store(page)
	}
	return page, err
}

// pageTries is how often a member may leave while a page is read. Only where the database
// went back to what it was, and the copies did not, does it go on leaving.
const pageTries = 20

// readPage finds the members of a page that has its marks, and fills it.
func (s *Service) readPage(ctx context.Context, page feedPage, before int64, tag string) (*feedPage, error) {
	for range pageTries {
		members, err := s.readMembers(ctx, before, tag)
		if err != nil {
			return nil, err
		}
		page.more = len(members) > feedSize
		page.members = members[:min(len(members), feedSize)]
		now, err := s.copies.ask(ctx, page.members...)
		if err != nil {
			return nil, err
		}
		if full, err := s.fillPage(ctx, &page, now); full != nil || err != nil {
			return full, err
		}
	}
	return nil, errNoAgreement
}

var errNoAgreement = fmt.Errorf("%w: a list of polls and their copies do not agree; was the database restored under a server that runs?", fault.Unavailable)

// fillPage brings a page up to date: itself when it is. It is nil when a member has
// left: the page would be short, and a short page says that it is the last.
func (s *Service) fillPage(ctx context.Context, page *feedPage, now present) (*feedPage, error) {
	polls := make([]*pollCopy, len(page.members))
	changed := page.body == nil
	for i, id := range page.members {
		p, err := s.copies.at(ctx, id, now)
		if err != nil {
			return nil, err
		}
		if p == nil || !p.public() {
			return nil, nil
		}
		changed = changed || p != page.polls[i]
		polls[i] = p
	}
	if !changed {
		return page, nil
	}
	full := *page
	full.polls, full.body = polls, joinBriefs(polls)
	return &full, nil
}

func joinBriefs(polls []*pollCopy) []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, p := range polls {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(p.brief())
	}
	b.WriteByte(']')
	return b.Bytes()
}

// readMembers is the numbers of the newest members of the recent list below a
// number, one more than fit on a page.
func (s *Service) readMembers(ctx context.Context, before int64, tag string) ([]int64, error) {
	const members = " state = 1 AND NOT private AND peak_votes >= $2 AND NOT suspended"
	query := `SELECT polls.id FROM polls JOIN users ON users.id = creator_id
		WHERE polls.id < $1 AND` + members + " ORDER BY polls.id DESC LIMIT $3"
	args := []any{before, s.PopularMinVotes, feedSize + 1}
	if tag != "" {
		query = `SELECT polls.id FROM poll_tags JOIN polls ON polls.id = poll_id JOIN users ON users.id = creator_id
			WHERE tag_id = (SELECT id FROM tags WHERE name = $4) AND poll_id < $1 AND` + members + " ORDER BY poll_id DESC LIMIT $3"
		args = append(args, tag)
	}
	ids, err := readIDs(ctx, s.db, query, args...)
	if err != nil {
		return nil, fmt.Errorf("read the recent list: %w", err)
	}
	return ids, nil
}

package polls

// ownVote is the vote of whoever looks at a poll.
type ownVote struct {
	choice int
	date   string
}

// poll encodes a single poll, for a viewer who may have voted.
func (e encoder) poll(p *poll, own *ownVote) []byte {
	return must(e.details(p, own, false))
}

// brief encodes a poll for the recent list.
func (e encoder) brief(p *poll) []byte {
	return must(e.outline(p, false))
}

// listed is a poll in the list of its creator.
func (e encoder) listed(p *poll, toCreator bool) *pollJSON {
	j := e.outline(p, toCreator)
	j.Private = &p.private
	j.markWinner(p.tally)
	return j
}

// details is a poll alone, with everything.
func (e encoder) details(p *poll, own *ownVote, toCreator bool) *pollJSON {
	j := e.listed(p, toCreator)
	j.Comments = e.comments(p.comments)
	d := &pollDetails{
		FirstChoiceName: p.choice[0], SecondChoiceName: p.choice[1], resultsJSON: results(p.tally),
		ImageSources: e.sources(p.sources), Votes: e.votes(p.id, p.recent),
	}
	if len(j.Images) > 0 {
		d.Image = &j.Images[0]
	}
	if own != nil {
		d.UserVote, d.UserVoteDate = own.choice, own.date
	}
	j.pollDetails = d
	return j
}

// outline is what every list shows of a poll.
func (e encoder) outline(p *poll, toCreator bool) *pollJSON {
	newest := p.comments[max(0, len(p.comments)-listComments):]
	return &pollJSON{
		PollID: p.id, URL: e.pollURL(p, toCreator), ShortURL: e.shortURL(p, toCreator),
		Caption: p.caption, PollType: pollType, Created: timestamp(p.created), Public: p.public(),
		Creator: creatorJSON{p.by.id, p.by.name, p.by.username, e.portrait(p.by.id, smallPortrait)},
		Choices: []choiceJSON{
			{Name: p.choice[0], SortOrder: 1, VoteCount: p.tally.first},
			{Name: p.choice[1], SortOrder: 2, VoteCount: p.tally.second},
		},
		Images: e.images(p), VoteCount: p.tally.total(), FavoriteCount: p.favoriteCount,
		CommentCount: p.commentCount, Comments: e.comments(newest),
	}
}

func (j *pollJSON) markWinner(t tally) {
	first, second := t.winning()
	j.Choices[0].IsWinning, j.Choices[1].IsWinning = &first, &second
}

func results(t tally) resultsJSON {
	r := resultsJSON{FirstChoiceVoteCount: t.first, SecondChoiceVoteCount: t.second}
	r.FirstChoicePercentage, r.SecondChoicePercentage = t.percentages()
	r.FirstWinning, r.SecondWinning = t.winning()
	return r
}

func (e encoder) images(p *poll) []imageJSON {
	if p.state != pollReady {
		return []imageJSON{}
	}
	return []imageJSON{{SortOrder: 1, URL: e.imageURL(p.image, "medium"), LargeURL: e.imageURL(p.image, "large")}}
}

func (e encoder) imageURL(i image, size string) string {
	return e.origin + "/images/" + i.file(size)
}

func (e encoder) sources(sources [2]imageSource) []imageSourceJSON {
	all := []imageSourceJSON{}
	for i, s := range sources {
		if s != (imageSource{}) {
			all = append(all, imageSourceJSON{i + 1, s.fullURL, s.contextURL, s.publicDomain})
		}
	}
	return all
}

func (e encoder) comments(comments []comment) []commentJSON {
	all := []commentJSON{}
	for _, c := range comments {
		all = append(all, e.comment(c))
	}
	return all
}

func (e encoder) comment(c comment) commentJSON {
	return commentJSON{
		CommentID: c.id, Body: c.body, Date: timestamp(c.created),
		UserID: c.by.id, Username: c.by.username, ProfilePhotoSmall: e.portrait(c.by.id, smallPortrait),
	}
}

// votes shows an anonymous voter under a name that holds in this poll only and
// opens nothing: the real id is a credential.
func (e encoder) votes(poll int64, votes []recentVote) []voteJSON {
	all := []voteJSON{}
	for _, v := range votes {
		j := voteJSON{VoteID: v.id, Choice: v.choice, Date: timestamp(v.changed)}
		if v.by == nil {
			j.Username, j.AnonymousUserID = "Anonymous", e.pseudonym(poll, v.voter)
			j.ProfilePhotoSmall = e.portrait(0, smallPortrait)
		} else {
			j.UserID, j.Username = &v.by.id, v.by.username
			j.ProfilePhotoSmall = e.portrait(v.by.id, smallPortrait)
			if v.by.name != "" {
				j.Name = &v.by.name
			}
		}
		all = append(all, j)
	}
	return all
}

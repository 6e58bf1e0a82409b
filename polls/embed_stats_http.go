package polls

import (
	"net/http"
	"time"
)

type statisticsJSON struct {
	Total  totalJSON             `json:"total"`
	Embeds []embedStatisticsJSON `json:"embeds"`
}

// ofPublisher begins every object of the statistics.
type ofPublisher struct {
	ID          int64  `json:"publisher_id"`
	Name        string `json:"publisher_name"`
	DisplayName string `json:"publisher_display_name"`
}

type totalJSON struct {
	ofPublisher
	EmbedsCount     int   `json:"embeds_count"`
	EmbedViews      int64 `json:"embed_views"`
	EmbedViewers    int64 `json:"embed_viewers"`
	EmbedVotes      int64 `json:"embed_votes"`
	EmbedVoters     int64 `json:"embed_voters"`
	EmbedTimeVoting int64 `json:"embed_time_voting"`
}

type embedStatisticsJSON struct {
	ofPublisher
	EmbedName string `json:"embed_name"`
	targetJSON
	Views           int64   `json:"views"`
	Viewers         int64   `json:"viewers"`
	Votes           int64   `json:"votes"`
	Voters          int64   `json:"voters"`
	PercentVoters   float64 `json:"percent_voters"`
	VotesPerVoter   float64 `json:"votes_per_voter"`
	SecondsPerVoter float64 `json:"seconds_per_voter"`
	TimeVoting      int64   `json:"time_voting"`
	FirstVoteDate   *string `json:"first_vote_date"`
	LastVoteDate    *string `json:"last_vote_date"`
}

// targetJSON has one member that is not null.
type targetJSON struct {
	PollID    *int64 `json:"poll_id"`
	PollSetID *int64 `json:"poll_set_id"`
	TagID     *int64 `json:"tag_id"`
}

func (t *Target) json() (j targetJSON) {
	switch t.Kind {
	case TargetPoll:
		j.PollID = &t.ID
	case TargetPollSet:
		j.PollSetID = &t.ID
	case TargetTag:
		j.TagID = &t.ID
	}
	return j
}

func (s *Service) getStatistics(c *call) error {
	all, err := s.Statistics(c.r.Context(), c.publisherName())
	if err != nil {
		return err
	}
	of := ofPublisher{all.Publisher.ID, all.Publisher.Name, all.Publisher.DisplayName}
	answer := statisticsJSON{
		Total: totalJSON{
			of, len(all.Embeds), all.Total.Views, all.Total.Viewers, all.Total.Votes, all.Total.Voters, all.Total.TimeVoting(),
		},
		Embeds: []embedStatisticsJSON{},
	}
	for _, e := range all.Embeds {
		answer.Embeds = append(answer.Embeds, embedStatisticsJSON{
			ofPublisher: of, EmbedName: e.Name, targetJSON: e.Target.json(),
			Views: e.Views, Viewers: e.Viewers, Votes: e.Votes, Voters: e.Voters,
			PercentVoters: e.PercentVoters(), VotesPerVoter: e.VotesPerVoter(), SecondsPerVoter: e.SecondsPerVoter(),
			TimeVoting: e.TimeVoting(), FirstVoteDate: orNoDate(e.FirstVote), LastVoteDate: orNoDate(e.LastVote),
		})
	}
	return c.json(http.StatusOK, answer)
}

// orNoDate is null for the zero time.
func orNoDate(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(timestamp(t))
}

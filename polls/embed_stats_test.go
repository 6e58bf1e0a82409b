package polls_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/polls"
)

func TestRatiosAreRoundedHalfUp(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n                         polls.EmbedNumbers
		percent, votes, perSecond float64
	}{
		{polls.EmbedNumbers{}, 0, 0, 0},
		{polls.EmbedNumbers{Viewers: 3}, 0, 0, 0},
		{polls.EmbedNumbers{Viewers: 3, Votes: 1, Voters: 1, VotingMS: 999}, 33.3, 1, 0},
		{polls.EmbedNumbers{Viewers: 3, Votes: 4, Voters: 2, VotingMS: 3999}, 66.7, 2, 1.5},
		{polls.EmbedNumbers{Viewers: 2000, Votes: 1, Voters: 1}, 0.1, 1, 0}, // 0.05
		{polls.EmbedNumbers{Viewers: 2001, Votes: 1, Voters: 1}, 0, 1, 0},
		{polls.EmbedNumbers{Viewers: 8, Votes: 9, Voters: 8, VotingMS: 1000}, 100, 1.13, 0.13}, // 1.125, 0.125
	} {
		if p, v, s := c.n.PercentVoters(), c.n.VotesPerVoter(), c.n.SecondsPerVoter(); p != c.percent || v != c.votes || s != c.perSecond {
			t.Errorf("%+v: got %v, %v, %v want %v, %v, %v", c.n, p, v, s, c.percent, c.votes, c.perSecond)
		}
	}
}

func TestPublisherWithoutEmbeds(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, _ := newPublisher(t, d)
		got := string(s.call("GET", "/publishers/Acme/stats", nil).body)
		want := `{"total":{"publisher_id":1,"publisher_name":"acme","publisher_display_name":"Acme","embeds_count":0,` +
			`"embed_views":0,"embed_viewers":0,"embed_votes":0,"embed_voters":0,"embed_time_voting":0},"embeds":[]}`
		if got != want && got != want+"\n" {
			t.Errorf("got %s want %s", got, want)
		}
		s.call("GET", "/publishers/none/stats", nil).refused(404, "publisher_not_found", "publisher_name")
	})
}

func TestVoteDatesAreThoseOfCasting(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		set := plantSet(s, ann, "week", plantPoll(t, d), plantPoll(t, d), plantPoll(t, d))
		page := s.page(fmt.Sprintf("?pollset_id=%d", set))
		voter := s.service.Mint()
		shown := s.call("GET", sets, nil).list()[0]
		for day, poll := range ids(shown["poll_ids"]) {
			params := object{"option": 1, "anonymous_user_id": voter, "embed_token": page.token(), "view_id": page.field("view_id")}
			s.vote(poll, params)
			exec(t, d, "UPDATE votes SET cast_at = $1 WHERE poll_id = $2", db.Micros(time.Date(2026, 1, day+1, 0, 0, 0, 0, time.UTC)), poll)
			params["option"] = 2
			s.vote(poll, params) // a switch is not another casting
		}
		_, by := s.numbers()
		e := by[fmt.Sprintf("set-week poll_set %d", set)]
		if e["first_vote_date"] != "2026-01-01T00:00:00Z" || e["last_vote_date"] != "2026-01-03T00:00:00Z" {
			t.Errorf("got %v to %v want the 1st to the 3rd of January", e["first_vote_date"], e["last_vote_date"])
		}
	})
}

// ledger is a model of the statistics: everything that happened, counted anew for
// each question.
type ledger struct {
	embeds  []*modelEmbed
	votes   map[modelVote]*modelSeal
	deleted map[int64]bool
}

type modelEmbed struct {
	name, token    string
	polls          []int64
	views, viewers map[string]bool
}

type modelVote struct {
	poll  int64
	voter string
}

type modelSeal struct {
	embed *modelEmbed // nil: through none
	ms    int64
}

func (l *ledger) beacon(e *modelEmbed, view, viewer string) {
	if len(e.polls) == 1 && l.deleted[e.polls[0]] || e.views[view] {
		return
	}
	e.views[view], e.viewers[viewer] = true, true
}

func (l *ledger) vote(e *modelEmbed, poll int64, view, voter string, ms int64) {
	key := modelVote{poll, voter}
	if l.votes[key] != nil {
		return // a switch, or the same again
	}
	l.votes[key] = new(modelSeal)
	if e != nil && slices.Contains(e.polls, poll) {
		*l.votes[key] = modelSeal{e, min(max(ms, 0), 300_000)}
		e.views[view], e.viewers[voter] = true, true
	}
}

// sums are what the votes of some embeds come to.
func (l *ledger) sums(of func(*modelEmbed) bool) (votes int, voters map[string]bool, ms int64) {
	voters = map[string]bool{}
	for key, through := range l.votes {
		if through.embed != nil && of(through.embed) && !l.deleted[key.poll] {
			votes++
			voters[key.voter] = true
			ms += through.ms
		}
	}
	return votes, voters, ms
}

func quotient(a, b int64, decimals int) float64 {
	if b == 0 {
		return 0
	}
	f, _ := strconv.ParseFloat(big.NewRat(a, b).FloatString(decimals), 64) // rounds half away from zero
	return f
}

// agree compares the statistics with the model.
func (l *ledger) agree(t *testing.T, s *site) {
	t.Helper()
	total, by := s.numbers()
	views, viewers := 0, map[string]bool{}
	for _, e := range l.embeds {
		votes, voters, ms := l.sums(func(other *modelEmbed) bool { return other == e })
		views += len(e.views)
		for viewer := range e.viewers {
			viewers[viewer] = true
		}
		want := object{
			"views": float64(len(e.views)), "viewers": float64(len(e.viewers)), "votes": float64(votes), "voters": float64(len(voters)),
			"time_voting":       float64(ms / 1000),
			"percent_voters":    quotient(100*int64(len(voters)), int64(len(e.viewers)), 1),
			"votes_per_voter":   quotient(int64(votes), int64(len(voters)), 2),
			"seconds_per_voter": quotient(ms/1000, int64(len(voters)), 2),
		}
		for name, value := range want {
			if by[e.name][name] != value {
				t.Errorf("%s: got %s %v want %v", e.name, name, by[e.name][name], value)
			}
		}
	}
	votes, voters, ms := l.sums(func(*modelEmbed) bool { return true })
	for name, value := range map[string]int{
		"embeds_count": len(l.embeds), "embed_views": views, "embed_viewers": len(viewers),
		"embed_votes": votes, "embed_voters": len(voters), "embed_time_voting": int(ms / 1000),
	} {
		if total[name] != float64(value) {
			t.Errorf("total: got %s %v want %d", name, total[name], value)
		}
	}
}

func TestStatisticsAgreeWithEverythingThatHappened(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		var all []int64
		for range 5 {
			all = append(all, plantPollOf(t, d, ann.id))
		}
		l := newLedger(s, d, ann, all)
		people := make([]string, 12)
		for i := range people {
			people[i] = s.service.Mint()
		}
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		random := rand.New(rand.NewPCG(seed, 0))
		for step := range 240 {
			poll, who := all[random.IntN(len(all))], people[random.IntN(len(people))]
			e, view := l.embeds[random.IntN(len(l.embeds))], fmt.Sprintf("view-%012d", random.IntN(40))
			ms := random.Int64N(400_000) - 20_000
			switch kind := random.IntN(100); {
			case kind < 30:
				l.beacon(e, view, who)
				s.call("POST", "/embeds/beacon", object{"embed_token": e.token, "view_id": view, "event": "view", "anonymous_user_id": who})
			case kind < 70 && !l.deleted[poll]:
				l.vote(e, poll, view, who, ms)
				s.vote(poll, object{"option": 1 + random.IntN(2), "anonymous_user_id": who, "embed_token": e.token, "view_id": view, "voting_ms": ms})
			case kind < 78 && !l.deleted[poll]:
				l.vote(nil, poll, view, who, ms)
				s.vote(poll, object{"option": 1 + random.IntN(2), "anonymous_user_id": who})
			case kind < 99 && !l.deleted[poll]:
				delete(l.votes, modelVote{poll, who})
				s.call("DELETE", fmt.Sprintf("/polls/%d/votes/remove", poll), object{"anonymous_user_id": who}).object()
			case kind == 99 && len(l.deleted) < 2:
				l.deleted[poll] = true
				s.as(ann, "DELETE", fmt.Sprintf("/polls/%d", poll), nil).object()
			}
			if l.agree(t, s); t.Failed() {
				t.Fatalf("after step %d", step)
			}
		}
	})
}

// newLedger makes embeds of every kind that share polls.
func newLedger(s *site, d *db.DB, ann planted, all []int64) *ledger {
	s.t.Helper()
	l := &ledger{votes: map[modelVote]*modelSeal{}, deleted: map[int64]bool{}}
	set, tag := plantSet(s, ann, "week", all[1], all[0], all[2]), plantTag(s.t, d, "food", all[2], all[3])
	for _, e := range []struct {
		params      object
		query, name string
		polls       []int64
	}{
		{object{"poll_id": all[0]}, fmt.Sprintf("?poll_id=%d", all[0]), fmt.Sprintf("poll-%d poll %d", all[0], all[0]), all[:1]},
		{object{"poll_id": all[0], "embed_name": "side"}, fmt.Sprintf("?poll_id=%d&name=side", all[0]), fmt.Sprintf("side poll %d", all[0]), all[:1]},
		{object{"poll_set_id": set}, fmt.Sprintf("?pollset_id=%d", set), fmt.Sprintf("set-week poll_set %d", set), all[:3]},
		{object{"tag": "food"}, "?tag=food", fmt.Sprintf("tag-food tag %d", tag), all[2:4]},
	} {
		s.as(ann, "POST", embeds, e.params).object()
		l.embeds = append(l.embeds, &modelEmbed{
			name: e.name, token: s.page(e.query).token(), polls: e.polls, views: map[string]bool{}, viewers: map[string]bool{},
		})
	}
	return l
}

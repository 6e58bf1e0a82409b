package polls_test

import (
	"fmt"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

// vote casts a vote and fails when it does not count.
func (s *site) vote(poll int64, params object) {
	s.t.Helper()
	s.call("POST", fmt.Sprintf("/polls/%d/votes", poll), params).object()
}

func TestVoteThroughAnEmbed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll := plantPollOf(t, d, ann.id)
		name := fmt.Sprintf("poll-%d poll %d", poll, poll)
		token, voter := s.page(fmt.Sprintf("?poll_id=%d", poll)).token(), s.service.Mint()
		check := func(step string, views, viewers, votes, voters, seconds float64) {
			t.Helper()
			_, by := s.numbers()
			e := by[name]
			if e["views"] != views || e["viewers"] != viewers || e["votes"] != votes || e["voters"] != voters || e["time_voting"] != seconds {
				t.Errorf("%s: got %v want %v views, %v viewers, %v votes, %v voters, %v s", step, e, views, viewers, votes, voters, seconds)
			}
			if dated := e["first_vote_date"] != nil && e["last_vote_date"] != nil; dated != (votes > 0) {
				t.Errorf("%s: got dates %v and %v", step, e["first_vote_date"], e["last_vote_date"])
			}
		}
		check("nothing yet", 0, 0, 0, 0, 0)
		s.vote(poll, object{"option": 1, "anonymous_user_id": voter, "embed_token": token, "view_id": "view-aaaaaaaaaaaa", "voting_ms": 2500})
		check("a vote is a view", 1, 1, 1, 1, 2)
		s.call("POST", "/embeds/beacon", object{"embed_token": token, "view_id": "view-aaaaaaaaaaaa", "event": "view", "anonymous_user_id": voter})
		check("its beacon comes late", 1, 1, 1, 1, 2)
		s.vote(poll, object{"option": 2, "anonymous_user_id": voter, "embed_token": token, "view_id": "view-bbbbbbbbbbbb", "voting_ms": 90000})
		check("a switch keeps view and time", 1, 1, 1, 1, 2)
		s.vote(poll, object{"option": 1, "anonymous_user_id": voter})
		check("also one elsewhere", 1, 1, 1, 1, 2)
		s.call("DELETE", fmt.Sprintf("/polls/%d/votes/remove", poll), object{"anonymous_user_id": voter}).object()
		check("a removal leaves the view", 1, 1, 0, 0, 0)
		s.vote(poll, object{"option": 1, "anonymous_user_id": voter})
		s.vote(poll, object{"option": 2, "anonymous_user_id": voter, "embed_token": token, "view_id": "view-cccccccccccc"})
		check("a vote cast elsewhere stays elsewhere", 1, 1, 0, 0, 0)
		other := s.service.Mint()
		s.vote(poll, object{"option": 1, "anonymous_user_id": other, "embed_token": token, "view_id": "view-aaaaaaaaaaaa", "voting_ms": 1})
		check("who votes is a viewer, also with another's view", 1, 2, 1, 1, 0)
		s.vote(poll, object{"option": 1, "auth_token": ann.token, "embed_token": token, "view_id": "view-dddddddddddd", "voting_ms": 1 << 50})
		check("the time has a bound", 2, 3, 2, 2, 300)
		third := s.service.Mint()
		s.vote(poll, object{"option": 1, "anonymous_user_id": third, "embed_token": token, "view_id": "view-eeeeeeeeeeee", "voting_ms": -5000})
		check("on both sides", 3, 4, 3, 3, 300)
	})
}

func TestVoteWithABadSealCountsForNoEmbed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		staging := newSite(t, d, func(o *polls.Options) { o.Environment = "staging" })
		poll, other := plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		query := fmt.Sprintf("?poll_id=%d", poll)
		token := s.page(query).token()
		otherToken := s.page(fmt.Sprintf("?poll_id=%d", other)).token()
		for i, bad := range []object{
			{"embed_token": "x", "view_id": "view-aaaaaaaaaaaa"},
			{"embed_token": []int{1}, "view_id": "view-aaaaaaaaaaaa"},
			{"embed_token": staging.page(query).token(), "view_id": "view-aaaaaaaaaaaa"},
			{"embed_token": otherToken, "view_id": "view-aaaaaaaaaaaa"},
			{"embed_token": token, "view_id": "short"},
			{"embed_token": token, "view_id": object{}},
			{"embed_token": token},
			{"view_id": "view-aaaaaaaaaaaa", "voting_ms": "soon"},
		} {
			bad["option"], bad["anonymous_user_id"] = 1, s.service.Mint()
			s.vote(poll, bad)
			got := s.call("GET", fmt.Sprintf("/polls/%d", poll), nil).object()["voteCount"]
			if got != float64(i+1) {
				t.Errorf("got %v votes with %v want %d", got, bad, i+1)
			}
		}
		if total, _ := s.numbers(); total["embed_votes"] != 0.0 || total["embed_views"] != 0.0 {
			t.Errorf("got %v want nothing recorded", total)
		}
	})
}

func TestVotesOfSetsAndTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		in, also, out := plantPoll(t, d), plantPoll(t, d), plantPoll(t, d)
		set, tag := plantSet(s, ann, "week", in, also), plantTag(t, d, "food", in, also)
		s.as(ann, "POST", embeds, object{"tag": "food"}).object()
		for name, query := range map[string]string{
			fmt.Sprintf("set-week poll_set %d", set): fmt.Sprintf("?pollset_id=%d", set),
			fmt.Sprintf("tag-food tag %d", tag):      "?tag=Food",
		} {
			token, voter := s.page(query).token(), s.service.Mint()
			for _, poll := range []int64{in, also, out} {
				s.vote(poll, object{"option": 1, "anonymous_user_id": voter, "embed_token": token, "view_id": "view-aaaaaaaaaaaa"})
			}
			_, by := s.numbers()
			if e := by[name]; e["votes"] != 2.0 || e["voters"] != 1.0 || e["views"] != 1.0 || e["votes_per_voter"] != 2.0 {
				t.Errorf("got %v want two votes of one voter for %s", e, name)
			}
		}
	})
}

// Rows that several processes write must not make them wait for each other in a
// circle, and what they count must be exact.
func TestManyVotersThroughTwoProcesses(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		processes := []*site{s, s}
		if d.Postgres() {
			processes[1] = newSite(t, d)
		}
		all := []int64{plantPoll(t, d), plantPoll(t, d), plantPoll(t, d)}
		set := plantSet(s, ann, "week", all...)
		token := s.page(fmt.Sprintf("?pollset_id=%d", set)).token()
		const people = 24
		done := make(chan answer)
		for i := range people {
			who := object{"anonymous_user_id": s.service.Mint(), "embed_token": token, "view_id": fmt.Sprintf("view-%012d", i), "option": 1, "event": "view"}
			for j, poll := range all {
				go func() { done <- processes[(i+j)%2].call("POST", fmt.Sprintf("/polls/%d/votes", poll), who) }()
			}
			go func() { done <- processes[i%2].call("POST", "/embeds/beacon", who) }()
		}
		for range people * (len(all) + 1) {
			if a := <-done; a.status >= 300 {
				t.Errorf("got %d %s want success", a.status, a.body)
			}
		}
		total, _ := s.numbers()
		for name, want := range map[string]int{"embed_views": people, "embed_viewers": people, "embed_votes": people * len(all), "embed_voters": people} {
			if total[name] != float64(want) {
				t.Errorf("got %s %v want %d", name, total[name], want)
			}
		}
	})
}

func TestDeletedPollTakesItsVotesFromTheEmbed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll := plantPollOf(t, d, ann.id)
		token, voter := s.page(fmt.Sprintf("?poll_id=%d", poll)).token(), s.service.Mint()
		s.vote(poll, object{"option": 1, "anonymous_user_id": voter, "embed_token": token, "view_id": "view-aaaaaaaaaaaa", "voting_ms": 5000})
		s.as(ann, "DELETE", fmt.Sprintf("/polls/%d", poll), nil).object()
		late := object{"embed_token": token, "view_id": "view-bbbbbbbbbbbb", "event": "view", "anonymous_user_id": voter}
		if a := s.call("POST", "/embeds/beacon", late); a.status != 204 {
			t.Errorf("got %d want 204", a.status)
		}
		total, by := s.numbers()
		e := by[fmt.Sprintf("poll-%d poll %d", poll, poll)]
		if e["views"] != 1.0 || e["viewers"] != 1.0 || e["votes"] != 0.0 || e["voters"] != 0.0 || e["time_voting"] != 0.0 || e["last_vote_date"] != nil {
			t.Errorf("got %v want the view and no vote", e)
		}
		if total["embeds_count"] != 1.0 || total["embed_views"] != 1.0 || total["embed_votes"] != 0.0 || total["embed_voters"] != 0.0 {
			t.Errorf("got %v want the view and no vote", total)
		}
	})
}

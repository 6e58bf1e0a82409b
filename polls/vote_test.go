package polls_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"stoa/internal/db"
)

// voter is somebody without an account who votes over a site.
type voter struct {
	*site
	id string
}

// voter makes one.
func (s *site) voter() voter { return voter{s, s.service.Mint()} }

func votes(poll int64) string { return fmt.Sprintf("/polls/%d/votes", poll) }

func (v voter) cast(poll int64, option int) answer {
	v.t.Helper()
	return v.call("POST", votes(poll), object{"option": option, "anonymous_user_id": v.id})
}

func (v voter) remove(poll int64) answer {
	v.t.Helper()
	return v.call("DELETE", votes(poll)+"/remove", object{"anonymous_user_id": v.id})
}

func (v voter) see(poll int64) answer {
	v.t.Helper()
	return v.call("GET", fmt.Sprint("/polls/", poll), object{"anonymous_user_id": v.id})
}

func (v voter) look(poll int64) object {
	v.t.Helper()
	return v.see(poll).object()
}

// success is object for goroutines beside the test, which go on after a failure.
func (a answer) success() object {
	o := object{}
	if err := json.Unmarshal(a.body, &o); a.status != http.StatusOK || err != nil {
		a.t.Errorf("got %d %s want success", a.status, a.body)
	}
	return o
}

func number(v any) int64 {
	n, _ := v.(float64)
	return int64(n)
}

// stands checks the counts of an answer, which must agree with each other.
func stands(t testing.TB, o object, first, second int64) {
	t.Helper()
	if number(o["firstChoiceVoteCount"]) != first || number(o["secondChoiceVoteCount"]) != second || number(o["voteCount"]) != first+second {
		t.Errorf("got %v to %v of %v want %d to %d", o["firstChoiceVoteCount"], o["secondChoiceVoteCount"], o["voteCount"], first, second)
	}
	choices, listed := o["choices"].([]any)
	if !listed {
		return
	}
	for i, want := range []int64{first, second} {
		if got := number(choices[i].(object)["voteCount"]); got != want {
			t.Errorf("choice %d: got %d want %d", i+1, got, want)
		}
	}
}

func TestVoteStates(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		v := s.voter()
		for i, step := range []struct {
			do            func() answer
			first, second int64
			userVote      any
		}{
			{func() answer { return v.remove(poll) }, 0, 0, nil},
			{func() answer { return v.cast(poll, 1) }, 1, 0, 1.0},
			{func() answer { return v.cast(poll, 1) }, 1, 0, 1.0},
			{func() answer { return v.cast(poll, 2) }, 0, 1, 2.0},
			{func() answer { return v.remove(poll) }, 0, 0, nil},
			{func() answer { return v.remove(poll) }, 0, 0, nil},
			{func() answer { return v.cast(poll, 2) }, 0, 1, 2.0},
		} {
			o := step.do().object()
			stands(t, o, step.first, step.second)
			if o["success"] != true || o["userVote"] != step.userVote {
				t.Errorf("step %d: got %v want success with userVote %v", i, o, step.userVote)
			}
			read := v.look(poll)
			stands(t, read, step.first, step.second)
			if read["userVote"] != step.userVote {
				t.Errorf("step %d: got userVote %v in the poll want %v", i, read["userVote"], step.userVote)
			}
		}
	})
}

func TestVoteKeepsItsNumberUntilRemoved(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		v, w := s.voter(), s.voter()
		newest := func() (id int64, choice int64) {
			vote := v.look(poll)["votes"].([]any)[0].(object)
			return number(vote["voteID"]), number(vote["choice"])
		}
		v.cast(poll, 1).object()
		first, _ := newest()
		w.cast(poll, 1).object()
		v.cast(poll, 2).object()
		if id, choice := newest(); id != first || choice != 2 {
			t.Errorf("got vote %d for %d want %d for 2: a switch is news of the same vote", id, choice, first)
		}
		w.cast(poll, 1).object() // says what stands already
		if id, _ := newest(); id != first {
			t.Errorf("got vote %d want %d: a no-op is no news", id, first)
		}
		v.remove(poll).object()
		v.cast(poll, 2).object()
		if id, _ := newest(); id <= first {
			t.Errorf("got vote %d want a number above %d", id, first)
		}
	})
}

func TestVoteRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		ready, without, private, deleted := plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", without)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", private)
		exec(t, d, "UPDATE polls SET state = 2 WHERE id = $1", deleted)
		v := s.voter()
		for name, c := range map[string]struct {
			poll        any
			params      object
			status      int
			code, field string
		}{
			"nobody":                {ready, object{"option": 1}, 401, "authentication_required", "auth_token"},
			"both":                  {ready, object{"option": 1, "auth_token": ann.token, "anonymous_user_id": v.id}, 400, "ambiguous_identity", "anonymous_user_id"},
			"forged":                {ready, object{"option": 1, "anonymous_user_id": forged(v.id)}, 401, "invalid_anonymous_user_id", "anonymous_user_id"},
			"bad token":             {ready, object{"option": 1, "auth_token": "pt_x"}, 401, "invalid_token", "auth_token"},
			"no option":             {ready, object{"anonymous_user_id": v.id}, 422, "missing_parameter", "option"},
			"third option":          {ready, object{"option": 3, "anonymous_user_id": v.id}, 400, "invalid_parameter", "option"},
			"option is no number":   {ready, object{"option": "one", "anonymous_user_id": v.id}, 400, "invalid_parameter", "option"},
			"no such poll":          {int64(1) << 50, object{"option": 1, "anonymous_user_id": v.id}, 404, "poll_not_found", "poll_id"},
			"a poll that cannot be": {"0x1", object{"option": 1, "anonymous_user_id": v.id}, 404, "poll_not_found", "poll_id"},
			"option before poll":    {"0x1", object{"option": 3, "anonymous_user_id": v.id}, 400, "invalid_parameter", "option"},
			"deleted":               {deleted, object{"option": 1, "auth_token": ann.token}, 404, "poll_not_found", "poll_id"},
			"private, without key":  {private, object{"option": 1, "anonymous_user_id": v.id}, 404, "poll_not_found", "poll_id"},
			"not ready, creator":    {without, object{"option": 1, "auth_token": ann.token}, 409, "poll_not_ready", ""},
			"not ready, others":     {without, object{"option": 1, "anonymous_user_id": v.id}, 404, "poll_not_found", "poll_id"},
		} {
			t.Run(name, func(t *testing.T) {
				a := s.call("POST", fmt.Sprintf("/polls/%v/votes", c.poll), c.params)
				a.t = t
				a.refused(c.status, c.code, c.field)
			})
		}
		stands(t, v.look(ready), 0, 0)
	})
}

// forged is an id that differs from a true one in its last digit.
func forged(id string) string {
	last := len(id) - 1
	if id[last] == '0' {
		return id[:last] + "1"
	}
	return id[:last] + "0"
}

// What counting remembers of a poll must not outlive a change that somebody else
// made: not for a new vote, nor for one that says what stands already.
func TestVoteMeetsThePollAsOthersLeftIt(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		other, v := secondConnection(t, d), s.voter()
		v.cast(poll, 1).object()
		exec(t, other, "UPDATE polls SET first_votes = first_votes + 4, version = version + 1 WHERE id = $1", poll)
		stands(t, s.voter().cast(poll, 2).object(), 5, 1)
		exec(t, other, "UPDATE polls SET first_votes = first_votes + 4, version = version + 1 WHERE id = $1", poll)
		stands(t, v.cast(poll, 1).object(), 9, 1)
		exec(t, other, "UPDATE polls SET state = 2, version = version + 1 WHERE id = $1", poll)
		s.voter().cast(poll, 1).refused(404, "poll_not_found", "poll_id")
		exec(t, other, "UPDATE polls SET state = 1, version = version + 1 WHERE id = $1", poll)
		stands(t, s.voter().cast(poll, 1).object(), 10, 1)
	})
}

func TestRefusedVoteDoesNotFailOthers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, good := newSite(t, d), plantPoll(t, d)
		bad := plantPoll(t, d)
		exec(t, d, "UPDATE polls SET state = 2 WHERE id = $1", bad)
		var wg sync.WaitGroup
		for i := range 40 {
			v := s.voter()
			wg.Go(func() {
				if i%2 == 0 {
					v.cast(bad, 1).refused(404, "poll_not_found", "poll_id")
				} else {
					v.cast(good, 1).success()
				}
			})
		}
		wg.Wait()
		stands(t, s.voter().look(good), 20, 0)
	})
}

// Every answer counts at least the votes that were answered before it was asked for,
// and no more than were cast.
func TestManyVotersAtOnceAreCountedExactly(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		const voters = 200
		var wg sync.WaitGroup
		for i := range voters {
			v := s.voter()
			wg.Go(func() {
				cast, read := v.cast(poll, 1+i%2).success(), v.see(poll).success()
				for _, o := range []object{cast, read} {
					if number(o["voteCount"]) != number(o["firstChoiceVoteCount"])+number(o["secondChoiceVoteCount"]) {
						t.Errorf("got %v want counts that agree", o)
					}
				}
				if number(read["voteCount"]) < number(cast["voteCount"]) || number(read["voteCount"]) > voters {
					t.Errorf("got %v votes after %v of %d", read["voteCount"], cast["voteCount"], voters)
				}
			})
		}
		wg.Wait()
		stands(t, s.voter().look(poll), voters/2, voters/2)
		if rows := count(t, d, "SELECT count(*) FROM votes WHERE poll_id = $1", poll); rows != voters {
			t.Errorf("got %d rows want %d", rows, voters)
		}
	})
}

func TestPollKeepsItsMostVotes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, poll := newSite(t, d), plantPoll(t, d)
		a, b := s.voter(), s.voter()
		a.cast(poll, 1).object()
		b.cast(poll, 1).object()
		a.remove(poll).object()
		if got := count(t, d, "SELECT peak_votes FROM polls WHERE id = $1", poll); got != 2 {
			t.Errorf("got %d want 2, which it once had", got)
		}
	})
}

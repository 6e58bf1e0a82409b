package polls_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"stoa/internal/db"
)

// electorate is a few people and polls, reached through one process or two.
type electorate struct {
	t      *testing.T
	d      *db.DB
	sites  []*site
	people []voter
	ann    login // who made the polls
}

func newElectorate(t *testing.T, d *db.DB, people int) *electorate {
	s := newSite(t, d)
	e := &electorate{t: t, d: d, sites: []*site{s, newOther(t, d, s)}, ann: plantLogin(s, d, "ann")}
	for range people {
		e.people = append(e.people, s.voter())
	}
	return e
}

// deed is one thing that somebody does.
type deed struct {
	kind         string // vote, remove, look, delete
	who, poll    int
	option, site int
}

func (e *electorate) deeds(t *rapid.T, polls int, kinds ...string) []deed {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) deed {
		return deed{
			kind: rapid.SampledFrom(kinds).Draw(t, "kind"),
			who:  rapid.IntRange(0, len(e.people)-1).Draw(t, "who"),
			poll: rapid.IntRange(0, polls-1).Draw(t, "poll"), option: rapid.IntRange(1, 2).Draw(t, "option"),
			site: rapid.IntRange(0, 1).Draw(t, "site"),
		}
	}), 3, 12).Draw(t, "deeds")
}

// do does it, through the process that it names.
func (e *electorate) do(d deed, poll int64) answer {
	v := voter{e.sites[d.site], e.people[d.who].id}
	switch d.kind {
	case "vote":
		return v.cast(poll, d.option)
	case "remove":
		return v.remove(poll)
	case "delete":
		return e.sites[d.site].call("DELETE", fmt.Sprint("/polls/", poll), object{"auth_token": e.ann.token})
	}
	return v.see(poll)
}

// modelPoll is what a poll should be.
type modelPoll struct {
	id      int64
	votes   map[int]int // option by person
	deleted bool
}

func newModel(e *electorate, polls int) []*modelPoll {
	var all []*modelPoll
	for range polls {
		all = append(all, &modelPoll{id: plantPollOf(e.t, e.d, e.ann.id), votes: map[int]int{}})
	}
	return all
}

func (p *modelPoll) tally() (first, second int64) {
	for _, option := range p.votes {
		if option == 1 {
			first++
		} else {
			second++
		}
	}
	return first, second
}

// expect changes the model and checks the answer.
func (p *modelPoll) expect(t *rapid.T, d deed, a answer) {
	switch {
	case d.kind == "delete":
		p.deleted = true
		if a.status != http.StatusOK {
			t.Fatalf("%v: got %d %s want success", d, a.status, a.body)
		}
		return
	case p.deleted:
		if a.status != http.StatusNotFound {
			t.Fatalf("%v: got %d %s want 404 of a deleted poll", d, a.status, a.body)
		}
		return
	case d.kind == "vote":
		p.votes[d.who] = d.option
	case d.kind == "remove":
		delete(p.votes, d.who)
	}
	first, second := p.tally()
	o := a.success()
	if number(o["firstChoiceVoteCount"]) != first || number(o["secondChoiceVoteCount"]) != second || number(o["voteCount"]) != first+second {
		t.Fatalf("%v: got %s want %d to %d", d, a.body, first, second)
	}
	if number(o["userVote"]) != int64(p.votes[d.who]) {
		t.Fatalf("%v: got %s want the vote %d", d, a.body, p.votes[d.who])
	}
}

// One after the other, through any process: every answer is that of the model.
func TestVotesFollowTheModel(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		e := newElectorate(t, d, 3)
		rapid.Check(t, func(rt *rapid.T) {
			polls := newModel(e, 2)
			for _, step := range e.deeds(rt, len(polls), "vote", "vote", "vote", "remove", "look", "look", "delete") {
				p := polls[step.poll]
				p.expect(rt, step, e.do(step, p.id))
			}
			for _, p := range polls {
				e.checkRows(rt, p)
			}
		})
	})
}

// At once, through any process: each person's last word stands, each answer agrees
// with itself, and the counters are the rows.
func TestVotesAtOnceFollowTheModel(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		e := newElectorate(t, d, 6)
		rapid.Check(t, func(rt *rapid.T) {
			polls := newModel(e, 2)
			plans := make([][]deed, len(e.people))
			for _, step := range e.deeds(rt, len(polls), "vote", "vote", "vote", "remove", "look", "delete") {
				plans[step.who] = append(plans[step.who], step)
				switch p := polls[step.poll]; step.kind {
				case "vote":
					p.votes[step.who] = step.option
				case "remove":
					delete(p.votes, step.who)
				case "delete":
					p.deleted = true
				}
			}
			var wg sync.WaitGroup
			for _, plan := range plans {
				wg.Go(func() {
					for _, step := range plan {
						e.checkAgrees(step, e.do(step, polls[step.poll].id))
					}
				})
			}
			wg.Wait()
			for _, p := range polls {
				if !p.deleted { // votes of before and after the deletion are told apart by nobody
					e.checkRows(rt, p)
				}
			}
		})
	})
}

// checkAgrees checks an answer by itself.
func (e *electorate) checkAgrees(step deed, a answer) {
	if a.status == http.StatusNotFound || step.kind == "delete" {
		return
	}
	o := a.success()
	if number(o["voteCount"]) != number(o["firstChoiceVoteCount"])+number(o["secondChoiceVoteCount"]) {
		e.t.Errorf("%v: got %s want counts that agree", step, a.body)
	}
	if step.kind == "vote" && number(o["userVote"]) != int64(step.option) || step.kind == "remove" && o["userVote"] != nil {
		e.t.Errorf("%v: got %s want the vote in it", step, a.body)
	}
}

// checkRows compares rows and counters with the model.
func (e *electorate) checkRows(t *rapid.T, p *modelPoll) {
	first, second := p.tally()
	want := [4]int64{first, second, first, second}
	var got [4]int64
	if err := e.d.QueryRow(e.t.Context(), `SELECT first_votes, second_votes,
		(SELECT count(*) FROM votes WHERE poll_id = polls.id AND choice = 1),
		(SELECT count(*) FROM votes WHERE poll_id = polls.id AND choice = 2)
		FROM polls WHERE id = $1`, p.id).Scan(&got[0], &got[1], &got[2], &got[3]); err != nil || got != want {
		t.Fatalf("got counters and rows %v, %v want %v", got, err, want)
	}
}

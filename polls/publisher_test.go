package polls_test

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"sync"
	"testing"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// as calls with a token.
func (s *site) as(who planted, method, path string, params object) answer {
	s.t.Helper()
	all := object{"auth_token": who.token}
	maps.Copy(all, params)
	return s.call(method, path, all)
}

// newPublisher makes a site with the publisher acme, and its owner.
func newPublisher(t *testing.T, d *db.DB) (*site, planted) {
	t.Helper()
	s, ann := newSite(t, d), plantAccount(t, d, "ann")
	s.as(ann, "POST", "/publishers", object{"name": "acme", "display_name": "Acme"}).object()
	return s, ann
}

func TestPublisherBelongsToWhoMadeIt(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newSite(t, d), plantAccount(t, d, "ann")
		a := s.as(ann, "POST", "/publishers", object{"name": "acme", "display_name": " Acme & Söhne "})
		got := a.object()
		if a.status != 201 || got["success"] != true || got["name"] != "acme" || got["display_name"] != "Acme & Söhne" || got["id"].(float64) < 1 {
			t.Errorf("got %d %v want the publisher", a.status, got)
		}
		team, err := s.service.Team(t.Context(), "ACME")
		if err != nil || len(team) != 1 || team[0].UserID != ann.id || !team[0].Owner {
			t.Errorf("got %v, %v want ann as the owner", team, err)
		}
	})
}

func TestPublisherIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		bob := plantAccount(t, d, "bob")
		s.call("POST", "/publishers", object{"name": "b", "display_name": "B"}).refused(401, "authentication_required", "auth_token")
		s.as(bob, "POST", "/publishers", object{"display_name": "B"}).refused(422, "missing_parameter", "name")
		s.as(bob, "POST", "/publishers", object{"name": "No Blanks"}).refused(422, "invalid_text", "name")
		s.as(bob, "POST", "/publishers", object{"name": "b"}).refused(422, "missing_parameter", "display_name")
		s.as(bob, "POST", "/publishers", object{"name": []int{1}, "display_name": "B"}).refused(400, "invalid_parameter", "name")
		s.as(bob, "POST", "/publishers", object{"name": "acme", "display_name": "B"}).refused(409, "name_taken", "name")
		s.as(ann, "POST", "/publishers", object{"name": "second", "display_name": "B"}).refused(409, "already_in_team", "")
		s.call("GET", "/publishers/second/stats", nil).refused(404, "publisher_not_found", "publisher_name")
	})
}

func TestOwnerManagesTheTeam(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		bob, cy, dee := plantAccount(t, d, "bob"), plantAccount(t, d, "cy"), plantAccount(t, d, "dee")
		s.as(dee, "POST", "/publishers", object{"name": "other", "display_name": "Other"}).object()
		const members = "/publishers/acme/members"
		add := func(who planted, username string) answer {
			return s.as(who, "POST", members, object{"username": username})
		}

		if got := add(ann, "BOB"); got.status != 200 || got.object()["success"] != true {
			t.Errorf("got %d %s want bob in the team", got.status, got.body)
		}
		s.call("POST", members, object{"username": "cy"}).refused(401, "authentication_required", "auth_token")
		s.as(ann, "POST", members, nil).refused(422, "missing_parameter", "username")
		s.as(ann, "POST", "/publishers/none/members", object{"username": "cy"}).refused(404, "publisher_not_found", "publisher_name")
		add(ann, "nobody").refused(404, "user_not_found", "username")
		add(cy, "cy").refused(403, "forbidden", "")
		add(bob, "cy").refused(403, "forbidden", "") // a member is no owner
		add(dee, "cy").refused(403, "forbidden", "") // nor is the owner of another one
		add(ann, "bob").refused(409, "already_in_team", "")
		add(ann, "dee").refused(409, "already_in_team", "")

		remove := func(who planted, username string) answer { return s.as(who, "DELETE", members+"/"+username, nil) }
		add(ann, "cy").object()
		remove(ann, "nobody").refused(404, "user_not_found", "username")
		remove(ann, "dee").refused(404, "user_not_found", "username")
		remove(bob, "cy").refused(403, "forbidden", "")
		remove(bob, "ann").refused(403, "forbidden", "")
		remove(ann, "ann").refused(403, "forbidden", "username")
		remove(ann, "Cy").object()
		remove(bob, "bob").object() // everybody may leave
		remove(ann, "bob").refused(404, "user_not_found", "username")
		s.as(bob, "POST", "/publishers", object{"name": "bobs", "display_name": "Bob's"}).object()
	})
}

func TestOperatorsMakePublishers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newSite(t, d), plantAccount(t, d, "ann")
		plantAccount(t, d, "bob")
		p, err := s.service.CreatePublisher(t.Context(), "acme", "Acme", "Ann")
		if err != nil || p.Name != "acme" || p.ID == 0 {
			t.Fatalf("got %v, %v want the publisher", p, err)
		}
		if err := s.service.AddMember(t.Context(), "acme", "bob"); err != nil {
			t.Fatal(err)
		}
		s.as(ann, "DELETE", "/publishers/acme/members/bob", nil).object()
		exec(t, d, "DELETE FROM members") // as when their accounts are deleted
		for _, name := range []string{"bob", "ann"} {
			if err := s.service.AddMember(t.Context(), "acme", name); err != nil {
				t.Fatal(err)
			}
		}
		if team, _ := s.service.Team(t.Context(), "acme"); len(team) != 2 || !team[0].Owner || team[0].Username != "bob" || team[1].Owner {
			t.Errorf("got %v want bob as the new owner", team)
		}
		for want, err := range map[wire.Code]error{
			wire.UserNotFound:      second(s.service.CreatePublisher(t.Context(), "b", "B", "nobody")),
			wire.PublisherNotFound: s.service.AddMember(t.Context(), "none", "bob"),
			wire.AlreadyInTeam:     s.service.AddMember(t.Context(), "acme", "ann"),
			wire.InvalidText:       second(s.service.CreatePublisher(t.Context(), "B?", "B", "bob")),
		} {
			if got, ok := errors.AsType[*wire.Error](err); !ok || got.Code != want {
				t.Errorf("got %v want %s", err, want)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestManyPeopleWantTheSameName(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		answers := make(chan answer)
		for i := range 8 {
			who := plantAccount(t, d, fmt.Sprintf("user%d", i))
			go func() {
				answers <- s.as(who, "POST", "/publishers", object{"name": "acme", "display_name": "Acme"})
			}()
		}
		made := 0
		for range 8 {
			if a := <-answers; a.status == http.StatusCreated {
				made++
			} else {
				a.refused(409, "name_taken", "name")
			}
		}
		if made != 1 {
			t.Errorf("got %d publishers want 1", made)
		}
	})
}

func TestTeamWithoutAnOwnerGetsOne(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		sites := []*site{newSite(t, d)}
		sites = append(sites, newOther(t, d, sites[0]))
		for round := range 10 {
			name := fmt.Sprint("acme", round)
			founder := plantAccount(t, d, fmt.Sprint("founder", round)).name
			if _, err := sites[0].service.CreatePublisher(t.Context(), name, "Acme", founder); err != nil {
				t.Fatal(err)
			}
			if err := sites[0].service.DeleteUser(t.Context(), founder, nil); err != nil {
				t.Fatal(err)
			}
			var busy sync.WaitGroup
			for i, s := range sites {
				member := plantAccount(t, d, fmt.Sprintf("ann%d_%d", round, i)).name
				busy.Go(func() {
					if err := s.service.AddMember(t.Context(), name, member); err != nil {
						t.Error(err)
					}
				})
			}
			busy.Wait()
			team, err := sites[0].service.Team(t.Context(), name)
			if err != nil || len(team) != 2 || !team[0].Owner || team[1].Owner {
				t.Errorf("got %+v, %v want one owner", team, err)
			}
		}
	})
}

package polls_test

import (
	"strings"
	"sync"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

// makeAccounts makes accounts, those with a star operators.
func makeAccounts(t *testing.T, s *site, names ...string) {
	t.Helper()
	for _, name := range names {
		name, operator := strings.CutSuffix(name, "*")
		_, err := s.service.CreateUser(t.Context(), polls.NewUser{Username: name, Email: name + "@stoa.test", Password: goodPassword, Operator: operator})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestOperatorFindsAccounts(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		makeAccounts(t, s, "Ann", "ann_b", "annxb", "bob")
		for _, c := range []struct {
			part   string
			before int64
			limit  int
			want   string
		}{
			{"", 0, 10, "bob annxb ann_b Ann"},
			{"", 0, 2, "bob annxb"},
			{"", 3, 10, "ann_b Ann"},
			{"ANN", 0, 10, "annxb ann_b Ann"},
			{"ann_", 0, 10, "ann_b"},
			{"b@stoa", 0, 10, "bob annxb ann_b"},
			{"%", 0, 10, ""},
			{`\`, 0, 10, ""},
		} {
			found, err := s.service.FindUsers(t.Context(), c.part, c.before, c.limit)
			if err != nil {
				t.Fatalf("%q: %v", c.part, err)
			}
			var names []string
			for _, u := range found {
				names = append(names, u.Username)
			}
			if got := strings.Join(names, " "); got != c.want {
				t.Errorf("%q before %d: got %s want %s", c.part, c.before, got, c.want)
			}
		}
		if u, err := s.service.UserNamed(t.Context(), "ANN"); err != nil || u.Username != "Ann" {
			t.Errorf("got %+v, %v want Ann", u, err)
		}
	})
}

func TestLastOperatorStaysOne(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		makeAccounts(t, s, "ann*", "bob", "eve*")
		if err := s.service.Suspend(t.Context(), "eve", true); err != nil {
			t.Fatal(err)
		}
		if err := s.service.SetOperator(t.Context(), "ann", false); err == nil || !strings.Contains(err.Error(), "last operator") {
			t.Errorf("got %v want a refusal: eve cannot log in", err)
		}
		if err := s.service.SetOperator(t.Context(), "bob", true); err != nil {
			t.Fatal(err)
		}
		var both sync.WaitGroup
		for _, name := range []string{"ann", "bob"} {
			both.Go(func() { _ = s.service.SetOperator(t.Context(), name, false) }) // one of them is refused
		}
		both.Wait()
		left := 0
		for _, name := range []string{"ann", "bob"} {
			if u, err := s.service.UserNamed(t.Context(), name); err == nil && u.Operator {
				left++
			}
		}
		if left != 1 {
			t.Errorf("got %d operators left want one", left)
		}
		if err := s.service.SetOperator(t.Context(), "nobody", true); err == nil {
			t.Error("got no error for an account that is not there")
		}
	})
}

package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
)

// operator is the account that leads the publisher, and the name of the API key.
const operator = "demo"

// person is one of those who ask, vote and talk.
type person struct{ username, name, location, about string }

var people = []person{
	{"demo_mira", "Mira", "Lisbon", "Reads the last page first."},
	{"demo_jonas", "Jonas", "Tromsø", "Up before the birds, asleep before the news."},
	{"demo_aiko", "Aiko", "Kyoto", "Tea, trains, and questions with two answers."},
	{"demo_samuel", "Samuel", "Accra", "Cooks for nine, washes up for none."},
	{"demo_lena", "Lena", "Zürich", "Has a bicycle for each day of the week."},
	{"demo_tomas", "Tomás", "Valparaíso", "Will argue either side."},
}

// fillAccounts makes the accounts and the key, and logs in as everybody.
func (d *Demo) fillAccounts(ctx context.Context, s *step) error {
	s.begin(len(people) + 2)
	first := d.notes.Passwords[operator] == ""
	accounts := []Account{{Username: operator, Operator: true}}
	for _, p := range people {
		accounts = append(accounts, Account{Username: p.username})
	}
	for _, a := range accounts {
		api, err := d.enter(ctx, a)
		if err != nil {
			return err
		}
		d.people[a.Username] = api
		d.made.Accounts = append(d.made.Accounts, a.Username)
		s.next()
	}
	for _, p := range people {
		profile := map[string]string{"name": p.name, "location": p.location, "about": p.about}
		if err := d.people[p.username].call(ctx, http.MethodPatch, "/users/me", profile, nil); err != nil {
			return err
		}
	}
	if first {
		d.made.Password = d.notes.Passwords[operator]
	}
	if err := d.openKey(ctx); err != nil {
		return err
	}
	s.next()
	return nil
}

// enter is the API as one of the accounts, which is made the first time. Its password
// is noted before: whoever interrupts this can go on.
func (d *Demo) enter(ctx context.Context, a Account) (pollsAPI, error) {
	if token := d.notes.Tokens[a.Username]; token != "" {
		api := d.polls.as(token)
		err := api.call(ctx, http.MethodGet, "/users/me", nil, nil)
		if !is(err, "invalid_token") {
			return api, err
		}
	}
	var made error
	if d.notes.Tokens[a.Username] == "" {
		if d.notes.Passwords[a.Username] == "" {
			d.notes.Passwords[a.Username] = rand.Text()
			if err := d.notes.save(); err != nil {
				return pollsAPI{}, err
			}
		}
		a.Email, a.Password = a.Username+"@demo.example", d.notes.Passwords[a.Username]
		made = d.Operator.Account(ctx, a) // fails when it is there: then the password is good
	}
	var self struct{ AuthToken string }
	login := map[string]string{"email_or_username": a.Username, "password": d.notes.Passwords[a.Username]}
	err := d.polls.call(ctx, http.MethodPost, "/users/authenticate", login, &self)
	switch {
	case is(err, "invalid_credentials") && made != nil:
		return pollsAPI{}, fmt.Errorf("there is an account %s already whose password is not in %s: delete it with \"stoa user delete %s\" and run this again (%w)", a.Username, d.notes.path, a.Username, made)
	case is(err, "invalid_credentials"):
		return pollsAPI{}, fmt.Errorf("the server at %s does not let %s in: either its password was changed, or it serves another data folder than %s", d.Polls, a.Username, d.Folder)
	case err != nil:
		return pollsAPI{}, err
	}
	d.notes.Tokens[a.Username] = self.AuthToken
	return d.polls.as(self.AuthToken), d.notes.save()
}

// openKey makes the API key of the videos, which is shown only as it is made.
func (d *Demo) openKey(ctx context.Context) error {
	if d.notes.Key == "" {
		key, err := d.Operator.Key(ctx, operator)
		if err != nil {
			return fmt.Errorf("the API key %s: %w; it is not in %s, so delete it with \"stoa apikey delete %s\" and run this again", operator, err, d.notes.path, operator)
		}
		d.notes.Key = key
		if err := d.notes.save(); err != nil {
			return err
		}
	}
	d.video.authorize = func(r *http.Request) { r.SetBasicAuth(d.notes.Key, "") }
	return d.video.call(ctx, http.MethodGet, "/videos?pageSize=1", nil, nil)
}

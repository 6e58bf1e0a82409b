package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// NewUser is what an account is made of.
type NewUser struct {
	Username, Email, Password string
	Profile
	Operator bool
}

// Profile is what people tell about themselves. All of it may be empty.
type Profile struct {
	Name, Location, Website, About, SocialUsername string
}

// normal brings texts into the form that is stored. The first that cannot be taken
// is told.
func (p *Profile) normal() error {
	for _, t := range []struct {
		field  string
		value  *string
		normal func(string) (string, error)
	}{
		{"name", &p.Name, text.Name},
		{"location", &p.Location, text.Location},
		{"website", &p.Website, text.Website},
		{"about", &p.About, text.About},
		{"social_username", &p.SocialUsername, text.SocialUsername},
	} {
		var err error
		if *t.value, err = t.normal(*t.value); err != nil {
			return refuseText(t.field, err)
		}
	}
	return nil
}

func (n *NewUser) normal() (err error) {
	for _, t := range []struct {
		field  string
		value  *string
		normal func(string) (string, error)
	}{{"username", &n.Username, text.Username}, {"email", &n.Email, text.Email}, {"password", &n.Password, text.Password}} {
		if *t.value == "" {
			return wire.Missing(t.field)
		}
		if *t.value, err = t.normal(*t.value); err != nil {
			return refuseText(t.field, err)
		}
	}
	return n.Profile.normal()
}

// signUp makes an account and a token for it. Where mail can be sent the account is
// not confirmed before the mail was read.
func (s *Service) signUp(ctx context.Context, n NewUser) (*account, string, error) {
	var token string
	a, err := s.makeAccount(ctx, n, s.Mail == nil, func(c *change, a *account) (err error) {
		token, err = s.issueToken(ctx, c.Tx, a.id)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	s.askToConfirm(a)
	return a, token, nil
}

// makeAccount stores an account, and what else belongs to it.
func (s *Service) makeAccount(ctx context.Context, n NewUser, confirmed bool, more func(*change, *account) error) (*account, error) {
	if err := n.normal(); err != nil {
		return nil, err
	}
	a := &account{
		person: person{username: n.Username, name: n.Name}, email: n.Email, operator: n.Operator, confirmed: confirmed,
		location: n.Location, website: n.Website, about: n.About, social: n.SocialUsername, created: time.Now(),
	}
	if err := refuseTaken(ctx, s.db, a); err != nil { // before the work of hashing
		return nil, err
	}
	hash, err := s.Passwords.Hash(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	err = s.change(ctx, func(c *change) error {
		if err := insertAccount(ctx, s.db, c.Tx, a, hash); err != nil {
			return err
		}
		return more(c, a)
	})
	return a, err
}

// accountChange is what somebody changes of their own account. What is nil stays.
type accountChange struct {
	name, location, website, about, social *string

	email, password *string
	currentPassword string // proves that e-mail and password may change
}

// changeAccount changes an account. A new password revokes every token but the one
// that is shown. A new e-mail address has to be confirmed; naming the old one again
// while it is not confirmed sends another mail.
func (s *Service) changeAccount(ctx context.Context, user int64, token string, ch accountChange) (*account, error) {
	proven, hash, err := s.prove(ctx, user, &ch)
	if err != nil {
		return nil, err
	}
	var a *account
	mail := false
	err = s.change(ctx, func(c *change) error {
		old, hashNow, err := accountLocked(ctx, s.db, c.Tx, user)
		if err != nil {
			return err
		}
		if proven != "" && proven != hashNow {
			return errWrongPassword()
		}
		if a, err = ch.apply(old); err != nil {
			return err
		}
		if err := refuseTaken(ctx, c.Tx, a); err != nil {
			return err
		}
		mail = ch.email != nil && s.Mail != nil && !(old.confirmed && text.Fold(a.email) == text.Fold(old.email))
		a.confirmed = old.confirmed && !mail
		if ch.password != nil {
			hashNow = hash
			if err := s.revokeTokens(ctx, c.Tx, user, token); err != nil {
				return err
			}
		}
		if a.name != old.name {
			c.mark(markPeople)
		}
		return updateAccount(ctx, c.Tx, a, hashNow)
	})
	if err != nil {
		return nil, err
	}
	if mail {
		s.askToConfirm(a)
	}
	return a, nil
}

// prove checks the texts of a change and the present password where it is needed.
// It returns the hash of that password, and of the new one; both may be empty.
func (s *Service) prove(ctx context.Context, user int64, ch *accountChange) (proven, hash string, err error) {
	if _, err := ch.apply(&account{}); err != nil {
		return "", "", err
	}
	if ch.email == nil && ch.password == nil {
		return "", "", nil
	}
	if ch.password != nil {
		if _, err := text.Password(*ch.password); err != nil {
			return "", "", refuseText("password", err)
		}
	}
	if ch.currentPassword == "" {
		return "", "", wire.Missing("current_password")
	}
	if err := s.db.QueryRow(ctx, "SELECT password FROM users WHERE id = $1", user).Scan(&proven); err != nil {
		return "", "", fmt.Errorf("read the password of user %d: %w", user, err)
	}
	if proven == "" { // deleted since the token was looked at
		return "", "", errWrongPassword()
	}
	good, err := s.Passwords.Verify(ctx, ch.currentPassword, proven)
	if err != nil {
		return "", "", err
	}
	if !good {
		return "", "", errWrongPassword()
	}
	if ch.password != nil {
		hash, err = s.Passwords.Hash(ctx, *ch.password)
	}
	return proven, hash, err
}

func errWrongPassword() error {
	return wire.Errorf(wire.InvalidCredentials, "current_password", "this is not your present password")
}

// apply is the account as it will be, but for the password.
func (ch *accountChange) apply(old *account) (*account, error) {
	a := *old
	p := Profile{a.name, a.location, a.website, a.about, a.social}
	for _, t := range []struct{ to, from *string }{
		{&p.Name, ch.name}, {&p.Location, ch.location}, {&p.Website, ch.website}, {&p.About, ch.about}, {&p.SocialUsername, ch.social},
	} {
		if t.from != nil {
			*t.to = *t.from
		}
	}
	if err := p.normal(); err != nil {
		return nil, err
	}
	a.name, a.location, a.website, a.about, a.social = p.Name, p.Location, p.Website, p.About, p.SocialUsername
	if ch.email != nil {
		email, err := text.Email(*ch.email)
		if err != nil {
			return nil, refuseText("email", err)
		}
		a.email = email
	}
	return &a, nil
}

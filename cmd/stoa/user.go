package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stoa/polls"
)

type userCommand struct {
	Create   userCreateCommand   `cmd:"" help:"Make an account."`
	List     userListCommand     `cmd:"" help:"List all accounts."`
	Suspend  userSuspendCommand  `cmd:"" help:"Shut an account out, or let it in again."`
	Delete   userDeleteCommand   `cmd:"" help:"Delete an account and what it made."`
	Password userPasswordCommand `cmd:"" help:"Give an account a new password."`
	Tokens   userTokensCommand   `cmd:"" help:"List the logins of an account."`
	Revoke   userRevokeCommand   `cmd:"" help:"Revoke the logins of an account."`
}

type userCreateCommand struct {
	environmentFlags
	passwordFlags
	Name     string `arg:"" help:"Username: 2 to 32 letters, digits and _."`
	Email    string `required:"" help:"E-mail address." placeholder:"ADDRESS"`
	Operator bool   `help:"May do what operators may."`
}

// Help is shown by --help.
func (userCreateCommand) Help() string {
	return `The account counts as confirmed. Its password is asked for, or read from standard
input with --password-stdin.

  stoa user create ann --email ann@example.com
  echo "$PASSWORD" | stoa user create ann --email ann@example.com --password-stdin --operator`
}

func (c *userCreateCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error {
		password, err := c.read(p)
		if err != nil {
			return err
		}
		u, err := s.CreateUser(ctx, polls.NewUser{Username: c.Name, Email: c.Email, Password: password, Operator: c.Operator})
		if err != nil {
			return err
		}
		fmt.Fprintf(p.stderr, "made account %s, number %d\n", u.Username, u.ID)
		return nil
	})
}

type userListCommand struct {
	environmentFlags
	outputFlag
}

// Help is shown by --help.
func (userListCommand) Help() string {
	return `In the order in which they were made: number, username, address, day, and what is special.

  stoa user list -o json`
}

// jsonUser is a line of the list.
type jsonUser struct {
	ID        int64     `json:"id"`
	Username  string    `json:"username"`
	Email     string    `json:"email"`
	Operator  bool      `json:"operator"`
	Confirmed bool      `json:"confirmed"`
	Suspended bool      `json:"suspended"`
	Created   time.Time `json:"created"`
}

func (c *userListCommand) Run(ctx context.Context, p process) error {
	users := []jsonUser{}
	err := c.polls(ctx, p, func(s *polls.Service) error {
		for u, err := range s.Users(ctx) {
			if err != nil {
				return err
			}
			users = append(users, jsonUser{u.ID, u.Username, u.Email, u.Operator, u.Confirmed, u.Suspended, u.Created.Truncate(time.Second)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printRows(p.stdout, c.outputFlag, users, func(u jsonUser) []string {
		return []string{fmt.Sprint(u.ID), u.Username, u.Email, u.Created.Format(time.DateOnly), u.marks()}
	})
}

// marks is what is special about an account.
func (u jsonUser) marks() string {
	var marks []string
	for _, m := range []struct {
		on   bool
		text string
	}{{u.Operator, "operator"}, {!u.Confirmed, "not confirmed"}, {u.Suspended, "suspended"}} {
		if m.on {
			marks = append(marks, m.text)
		}
	}
	return strings.Join(marks, ", ")
}

package main

import (
	"context"
	"fmt"
	"time"

	"stoa/polls"
)

type userSuspendCommand struct {
	environmentFlags
	Name string `arg:"" help:"Username."`
	Lift bool   `help:"Let the account in again."`
}

// Help is shown by --help.
func (userSuspendCommand) Help() string {
	return `A suspended account cannot log in, and its polls leave the recent list. Its logins
are revoked for good.

  stoa user suspend ann
  stoa user suspend ann --lift`
}

func (c *userSuspendCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error { return s.Suspend(ctx, c.Name, !c.Lift) })
}

type userDeleteCommand struct {
	environmentFlags
	Name string `arg:"" help:"Username."`
}

// Help is shown by --help.
func (userDeleteCommand) Help() string {
	return `Deletes the account with its polls, votes and comments. There is no way back. Cut
off in the middle, it goes on when it is called again.

  stoa user delete ann`
}

func (c *userDeleteCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error { return s.DeleteUser(ctx, c.Name, newProgress(p.stderr).tell) })
}

type userPasswordCommand struct {
	environmentFlags
	passwordFlags
	Name string `arg:"" help:"Username."`
}

// Help is shown by --help.
func (userPasswordCommand) Help() string {
	return `Sets the password and revokes all logins.

  stoa user password ann
  echo "$PASSWORD" | stoa user password ann --password-stdin`
}

func (c *userPasswordCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error {
		password, err := c.read(p)
		if err != nil {
			return err
		}
		return s.SetPassword(ctx, c.Name, password)
	})
}

type userTokensCommand struct {
	environmentFlags
	outputFlag
	Name string `arg:"" help:"Username."`
}

// Help is shown by --help.
func (userTokensCommand) Help() string {
	return `Last used first. The id is what stoa user revoke takes; the token itself is not stored.

  stoa user tokens ann`
}

// jsonToken is a line of the list.
type jsonToken struct {
	ID      string    `json:"id"`
	Created time.Time `json:"created"`
	Used    time.Time `json:"used"`
}

func (c *userTokensCommand) Run(ctx context.Context, p process) error {
	tokens := []jsonToken{}
	err := c.polls(ctx, p, func(s *polls.Service) error {
		found, err := s.Tokens(ctx, c.Name)
		for _, t := range found {
			tokens = append(tokens, jsonToken{t.ID, t.Created.Truncate(time.Second), t.Used.Truncate(time.Second)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(p.stdout, c.outputFlag, tokens, func(t jsonToken) []string {
		return []string{t.ID, "made " + t.Created.Format(time.DateTime), "used " + t.Used.Format(time.DateTime)}
	})
}

type userRevokeCommand struct {
	environmentFlags
	Name  string `arg:"" help:"Username."`
	Token string `arg:"" optional:"" help:"A token, or its id in stoa user tokens. Default: all."`
}

// Help is shown by --help.
func (userRevokeCommand) Help() string {
	return `Revokes all logins, or one: tokens of programs, and sessions in browsers.

  stoa user revoke ann
  stoa user revoke ann 4f1c09aa31be`
}

func (c *userRevokeCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error {
		n, err := s.Revoke(ctx, c.Name, c.Token)
		if err == nil {
			fmt.Fprintf(p.stderr, "revoked logins: %d\n", n)
		}
		return err
	})
}

package main

import (
	"context"
	"fmt"

	"stoa/polls"
)

type publisherCommand struct {
	Create publisherCreateCommand `cmd:"" help:"Make a publisher."`
	Add    publisherAddCommand    `cmd:"" help:"Take an account into a publisher's team."`
}

type publisherCreateCommand struct {
	environmentFlags
	Name        string `arg:"" help:"Name of the publisher in addresses."`
	DisplayName string `required:"" help:"Name that people see." placeholder:"TEXT"`
	Owner       string `required:"" help:"Account that leads the team." placeholder:"USER"`
}

// Help is shown by --help.
func (publisherCreateCommand) Help() string {
	return `The owner is an account that is there, and in no team yet.

  stoa publisher create gazette --display-name "The Gazette" --owner ann`
}

func (c *publisherCreateCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error {
		made, err := s.CreatePublisher(ctx, c.Name, c.DisplayName, c.Owner)
		if err == nil {
			fmt.Fprintf(p.stderr, "made publisher %s, number %d\n", made.Name, made.ID)
		}
		return err
	})
}

type publisherAddCommand struct {
	environmentFlags
	Name string `arg:"" help:"Name of the publisher."`
	User string `arg:"" help:"Username."`
}

// Help is shown by --help.
func (publisherAddCommand) Help() string {
	return `The account must be there. It can be in one team only.

  stoa publisher add gazette joe`
}

func (c *publisherAddCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error { return s.AddMember(ctx, c.Name, c.User) })
}

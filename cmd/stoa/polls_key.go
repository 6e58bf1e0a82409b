package main

import (
	"context"
	"fmt"

	"stoa/polls"
)

type pollsKeyCommand struct {
	List   pollsKeyListCommand   `cmd:"" help:"List the keys."`
	New    pollsKeyNewCommand    `cmd:"" help:"Sign new ids with another key."`
	Retire pollsKeyRetireCommand `cmd:"" help:"Refuse the ids that a key has signed."`
}

type pollsKeyListCommand struct {
	environmentFlags
	outputFlag
}

// Help is shown by --help.
func (pollsKeyListCommand) Help() string {
	return `The number of its key is what an anonymous_user_id begins with, in two hexadecimal digits.

  stoa polls key list`
}

// jsonPollsKey is a line of the list.
type jsonPollsKey struct {
	Number  int  `json:"number"`
	Retired bool `json:"retired"`
	Newest  bool `json:"newest"`
}

func (c *pollsKeyListCommand) Run(ctx context.Context, p process) error {
	keys := []jsonPollsKey{}
	err := c.polls(ctx, p, func(s *polls.Service) error {
		all, err := s.AnonymousKeys(ctx)
		for _, k := range all {
			keys = append(keys, jsonPollsKey(k))
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(p.stdout, c.outputFlag, keys, func(k jsonPollsKey) []string { return []string{fmt.Sprint(k.Number), k.state()} })
}

func (k jsonPollsKey) state() string {
	switch {
	case k.Retired:
		return "retired: its ids are refused"
	case k.Newest:
		return "signs new ids"
	}
	return "its ids are good"
}

type pollsKeyNewCommand struct{ environmentFlags }

// Help is shown by --help.
func (pollsKeyNewCommand) Help() string {
	return `Servers that run take it up within some seconds. Ids of older keys stay good until
those are retired.

  stoa polls key new`
}

func (c *pollsKeyNewCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error {
		number, err := s.NewAnonymousKey(ctx)
		if err == nil {
			fmt.Fprintf(p.stderr, "made key %d\n", number)
		}
		return err
	})
}

type pollsKeyRetireCommand struct {
	environmentFlags
	Number int `arg:"" help:"The key, as listed."`
}

// Help is shown by --help.
func (pollsKeyRetireCommand) Help() string {
	return `For good. Votes that were cast with such ids stand, but nobody can change them any more;
who comes back gets a new id. Servers that run know of it within some seconds.

  stoa polls key new
  stoa polls key retire 1`
}

func (c *pollsKeyRetireCommand) Run(ctx context.Context, p process) error {
	return c.polls(ctx, p, func(s *polls.Service) error { return s.RetireAnonymousKey(ctx, c.Number) })
}

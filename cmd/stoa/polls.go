package main

import (
	"context"
	"errors"
	"fmt"

	"stoa/polls"
)

type pollsCommand struct {
	Recount recountCommand  `cmd:"" help:"Compare the counters with the votes."`
	Key     pollsKeyCommand `cmd:"" help:"The keys that ids of people without an account are signed with."`
}

type recountCommand struct {
	environmentFlags
	outputFlag
	Repair bool `help:"Bring the counters to what the votes say."`
}

// Help is shown by --help.
func (recountCommand) Help() string {
	return `Lists every counter that does not say what its rows say. The exit status is 1 when
there is one, unless it was repaired. People may vote meanwhile.

  stoa polls recount
  stoa polls recount --repair`
}

// jsonDifference is a counter that is wrong.
type jsonDifference struct {
	Poll    int64  `json:"poll"`
	Counter string `json:"counter"`
	Kept    int64  `json:"kept"`
	Rows    int64  `json:"rows"`
}

func (c *recountCommand) Run(ctx context.Context, p process) error {
	var found []polls.Difference
	err := c.polls(ctx, p, func(s *polls.Service) error {
		return s.Recount(ctx, c.Repair, func(d polls.Difference) { found = append(found, d) }, newProgress(p.stderr).tell)
	})
	if err := errors.Join(err, c.list(p, found)); err != nil { // also what was found until it was cut off
		return err
	}
	switch {
	case len(found) == 0:
		fmt.Fprintln(p.stderr, "every counter is right")
	case c.Repair:
		fmt.Fprintf(p.stderr, "repaired counters: %d\n", len(found))
	default:
		fmt.Fprintf(p.stderr, "wrong counters: %d; stoa polls recount --repair mends them\n", len(found))
		return errFaulty
	}
	return nil
}

func (c *recountCommand) list(p process, found []polls.Difference) error {
	all := []jsonDifference{}
	for _, d := range found {
		all = append(all, jsonDifference(d))
	}
	return printRows(p.stdout, c.outputFlag, all, func(d jsonDifference) []string { return []string{polls.Difference(d).String()} })
}

package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stoa/video"
)

type apiKeyCommand struct {
	Create  apiKeyCreateCommand  `cmd:"" help:"Make a key, and print it this once."`
	List    apiKeyListCommand    `cmd:"" help:"List all keys."`
	Suspend apiKeySuspendCommand `cmd:"" help:"Shut a key out, with its tokens."`
	Resume  apiKeyResumeCommand  `cmd:"" help:"Let a suspended key in again."`
	Delete  apiKeyDeleteCommand  `cmd:"" help:"End a key for good. What was made with it stays."`
}

type apiKeyCreateCommand struct {
	environmentFlags
	Name    string    `arg:"" help:"What to call the key: letters, digits, - _ and dots."`
	Project string    `help:"The project that owns what is made with the key." default:"default"`
	Limits  keyLimits `help:"Uploads, writes and reads a minute. Default: those of the environment." placeholder:"UPLOADS/WRITES/READS" setting:"no"`
}

// Help is shown by --help.
func (apiKeyCreateCommand) Help() string {
	return `The key alone is printed on standard output. Keys of one project see the same videos,
so a key can be exchanged for another.

  stoa apikey create my-site
  KEY=$(stoa apikey create nightly --project films --limits 500/1000/5000)
  stoa apikey create try-out --environment staging`
}

func (c *apiKeyCreateCommand) Run(ctx context.Context, p process) error {
	return c.video(ctx, p, func(s *video.Service) error {
		key, err := s.CreateKey(ctx, c.Name, c.Project, video.Limits(c.Limits))
		if err != nil {
			return err
		}
		fmt.Fprintln(p.stdout, key)
		fmt.Fprintf(p.stderr, "made key %s of project %s; it is not shown again\n", c.Name, c.Project)
		return nil
	})
}

// keyLimits is UPLOADS/WRITES/READS.
type keyLimits video.Limits

var errKeyLimits = errors.New("want uploads/writes/reads a minute, each 1 or more, such as 100/200/500")

// UnmarshalText is how flags are read.
func (l *keyLimits) UnmarshalText(text []byte) error {
	parts := strings.Split(string(text), "/")
	figures := []*int{&l.Uploads, &l.Writes, &l.Reads}
	if len(parts) != len(figures) {
		return errKeyLimits
	}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || n == 0 {
			return errKeyLimits
		}
		*figures[i] = int(n)
	}
	return nil
}

type apiKeyListCommand struct {
	environmentFlags
	outputFlag
}

// Help is shown by --help.
func (apiKeyListCommand) Help() string {
	return `The keys themselves are not stored, so their names are listed: with the project, the day
they were made, limits of their own, and whether they are suspended.

  stoa apikey list -o json`
}

// jsonKey is a line of the list. Limits of 0 are the environment's own.
type jsonKey struct {
	Name      string    `json:"name"`
	Project   string    `json:"project"`
	Uploads   int       `json:"uploads"`
	Writes    int       `json:"writes"`
	Reads     int       `json:"reads"`
	Suspended bool      `json:"suspended"`
	Created   time.Time `json:"created"`
}

func (c *apiKeyListCommand) Run(ctx context.Context, p process) error {
	keys := []jsonKey{}
	err := c.video(ctx, p, func(s *video.Service) error {
		for k, err := range s.Keys(ctx) {
			if err != nil {
				return err
			}
			keys = append(keys, jsonKey{k.Name, k.Project, k.Limits.Uploads, k.Limits.Writes, k.Limits.Reads, k.Suspended, k.Created.Truncate(time.Second)})
		}
		return nil
	})
	if err != nil {
		return err
	}
	return printRows(p.stdout, c.outputFlag, keys, func(k jsonKey) []string {
		return []string{k.Name, k.Project, k.Created.Format(time.DateOnly), k.marks()}
	})
}

// marks is what is special about a key.
func (k jsonKey) marks() string {
	var marks []string
	if k.Uploads != 0 {
		marks = append(marks, fmt.Sprintf("%d/%d/%d a minute", k.Uploads, k.Writes, k.Reads))
	}
	if k.Suspended {
		marks = append(marks, "suspended")
	}
	return strings.Join(marks, ", ")
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"stoa/app"
	"stoa/demo"
	"stoa/internal/env"
	"stoa/polls"
	"stoa/video"
)

type demoCommand struct {
	Fill demoFillCommand `cmd:"" default:"withargs" help:"Fill a running server with examples. This is what stoa demo does."`
	Live demoLiveCommand `cmd:"" help:"Broadcast a generated signal until Ctrl-C."`
}

// Help is shown by --help.
func (demoCommand) Help() string {
	return `Fills a server that runs on this machine: accounts, polls with pictures and votes, a
publisher, videos, a rule file, a cluster document. It can be run again at any time, and
then makes what is missing. The server is found by the same settings as serve has.

  stoa demo
  stoa demo --environment staging
  stoa demo live`
}

// demoFlags find the server.
type demoFlags struct {
	app.Settings `embed:""`
	Environment  string `help:"Fill ${enum}." enum:"production,staging" default:"production"`
}

type demoFillCommand struct {
	demoFlags
	outputFlag

	// For tests: less of everything.
	Polls   int `name:"demo-polls" hidden:"" default:"-1" setting:"no"`
	Voters  int `name:"demo-voters" hidden:"" default:"-1" setting:"no"`
	Films   int `name:"demo-films" hidden:"" default:"-1" setting:"no"`
	Seconds int `name:"demo-seconds" hidden:"" default:"-1" setting:"no"`
}

// Help is shown by --help.
func (demoFillCommand) Help() string {
	return `Says what it makes, and at the end where to look; see stoa demo --help.

  stoa demo fill -o json`
}

func (c *demoFillCommand) Run(ctx context.Context, p process) error {
	o, _, err := c.options(p)
	if err != nil {
		return err
	}
	o.Size = c.size()
	made, err := demo.Fill(ctx, o)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		return json.NewEncoder(p.stdout).Encode(made)
	}
	tellMade(p, made, c.Environment)
	return nil
}

func (c *demoFillCommand) size() demo.Size {
	size := demo.Full()
	for _, part := range []struct {
		asked int
		made  *int
	}{{c.Polls, &size.Polls}, {c.Voters, &size.Voters}, {c.Films, &size.Films}, {c.Seconds, &size.Seconds}} {
		if part.asked >= 0 {
			*part.made = min(*part.made, part.asked)
		}
	}
	return size
}

// options finds the server. Accounts and keys are made as the commands for them do.
func (f *demoFlags) options(p process) (demo.Options, app.Instance, error) {
	cfg, err := app.ReadConfig(f.Settings, env.Map(p.environ))
	if err != nil {
		return demo.Options{}, app.Instance{}, usageError{err}
	}
	server, err := f.Instance(f.Environment)
	if err != nil {
		return demo.Options{}, app.Instance{}, err
	}
	o := demo.Options{
		Polls: server.Polls, Video: server.Video, Client: server.Client, Folder: server.Folder, Rules: cfg.RuleFolder(),
		Operator: f.operator(p), Tell: newProgress(p.stderr).tell,
	}
	return o, server, nil
}

func (f *demoFlags) operator(p process) demo.Operator {
	as := environmentFlags{Storage: f.Storage, Environment: f.Environment}
	return demo.Operator{
		Account: func(ctx context.Context, a demo.Account) error {
			return as.polls(ctx, p, func(s *polls.Service) error {
				_, err := s.CreateUser(ctx, polls.NewUser{Username: a.Username, Email: a.Email, Password: a.Password, Operator: a.Operator})
				return err
			})
		},
		Key: func(ctx context.Context, name string) (key string, err error) {
			err = as.video(ctx, p, func(s *video.Service) error {
				key, err = s.CreateKey(ctx, name, video.DefaultProject, video.Limits{Uploads: 1000, Writes: 1000, Reads: 5000})
				return err
			})
			return key, err
		},
	}
}

// tellMade says where to look.
func tellMade(p process, made demo.Made, environment string) {
	out := p.stdout
	fmt.Fprintf(out, "\n  Look at it:\n\n    start page   %s/\n    console      %[1]s/console\n", made.Address)
	for _, v := range made.Videos {
		fmt.Fprintf(out, "    video        %s  (%s)\n", v.URL, v.Title)
	}
	fmt.Fprintf(out, "    embed        %s: open it in the browser\n", made.EmbedPage)
	if made.Rules != "" {
		fmt.Fprintf(out, "    rate limits  %s; stoa ratelimit ask -domain demo -descriptors path=/api,user=u1\n", made.Rules)
	}
	fmt.Fprintf(out, "    cluster      stoa inventory graph %s\n", made.Cluster)
	live := "stoa demo live"
	if environment != video.Production {
		live += " --environment " + environment
	}
	fmt.Fprintf(out, "    live         %s\n\n", live)
	fmt.Fprintf(out, "  Log in at %s/login as %s", made.Address, made.Username)
	if made.Password != "" {
		fmt.Fprintf(out, " with password %s", made.Password)
	}
	fmt.Fprintf(out, "; passwords and the API key are in %s.\n", relative(made.Credentials))
	fmt.Fprintf(out, "  There are %d polls with %d votes, of %s.\n\n", len(made.Polls), made.Votes, strings.Join(made.Accounts, ", "))
}

// relative is a path as short as can be.
func relative(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	if short, err := filepath.Rel(here, path); err == nil && len(short) < len(path) {
		return short
	}
	return path
}

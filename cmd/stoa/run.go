package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"stoa/app"
	"stoa/internal/config"
	"stoa/internal/env"
)

// Exit statuses of every command.
const (
	exitDone   = 0
	exitFailed = 1 // the thing checked is not in order, or the work failed
	exitUsage  = 2
)

// process is what a command may use of the world.
type process struct {
	args           []string
	environ        []string
	stdin          io.Reader // nil: empty
	stdout, stderr io.Writer
}

// cli is every command.
type cli struct {
	ConfigFile string `name:"config" help:"Settings file. Default: stoa.yaml, if there is one." placeholder:"FILE"`

	Serve     serveCommand     `cmd:"" help:"Run all services, or the named ones, in one process."`
	Work      workCommand      `cmd:"" help:"Do the jobs of servers on the same storage: encoding, webhooks, clean-up."`
	Demo      demoCommand      `cmd:"" help:"Fill a running server with examples; broadcast a test signal."`
	Ratelimit ratelimitCommand `cmd:"" help:"Ask a rate limit service, check its rule files, explain its decisions."`
	Limits    limitsCommand    `cmd:"" help:"The rules that limit requests to the polls and the videos."`
	User      userCommand      `cmd:"" help:"Accounts: create, list, suspend, delete, password, tokens, revoke."`
	Publisher publisherCommand `cmd:"" help:"Publishers: create, and add people to their teams."`
	APIKey    apiKeyCommand    `cmd:"" name:"apikey" help:"API keys of the videos: create, list, suspend, resume, delete."`
	Polls     pollsCommand     `cmd:"" help:"Check the counters of the polls."`
	Inventory inventoryCommand `cmd:"" help:"Check, resolve and explain a cluster document."`
	Migrate   migrateCommand   `cmd:"" help:"Bring the databases up to date."`
	Doctor    doctorCommand    `cmd:"" help:"Say what is missing on this machine and how to get it."`
	Routes    routesCommand    `cmd:"" help:"List what each port answers."`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	process process
}

const about = `Stoa is an audience platform that you host yourself: polls with two choices, video on
demand and live with the API of api.video, the rate limit service, a drop-in for Envoy's
with counters in memory, Redis or memcached, and the tool for the cluster document.

  stoa serve                                   # everything there is, on the default ports
  stoa demo                                    # fill it with examples
  stoa user create ann --email ann@example.com # an account on the server of this folder
  stoa apikey create my-site                   # a key for the official api.video clients
  stoa ratelimit check config/                 # are these rule files in order?
  stoa ratelimit ask -domain shop -descriptors path=/api,user=u1
  stoa inventory validate cluster.yaml         # is this cluster document in order?`

// run runs one command and returns its exit status.
func run(ctx context.Context, p process) (status int) {
	if done, status := runFlagCommand(ctx, p); done {
		return status
	}
	defer func() { // kong ends --help with an exit
		switch e := recover().(type) {
		case nil:
		case exit:
			status = int(e)
		default:
			panic(e)
		}
	}()
	c := &cli{process: p}
	parser := kong.Must(c,
		kong.Name("stoa"), kong.Description(about),
		kong.Writers(p.stdout, p.stderr), kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true, WrapUpperBound: 100}),
		kong.Vars{"services": strings.Join(app.Services(), ", ")},
		kong.BindTo(ctx, (*context.Context)(nil)), kong.Bind(p),
	)
	command, err := parser.Parse(p.args)
	if err != nil {
		fmt.Fprintf(p.stderr, "stoa: %v\n", err)
		return exitUsage
	}
	return statusOf(command.Run(), p.stderr)
}

type exit int

// usageError is a mistake in how a command was called.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// errFaulty ends a command that has already said what is not in order.
var errFaulty = errors.New("not in order")

func statusOf(err error, stderr io.Writer) int {
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFaulty):
		return exitFailed
	}
	fmt.Fprintf(stderr, "stoa: %v\n", err)
	if _, usage := errors.AsType[usageError](err); usage {
		return exitUsage
	}
	return exitFailed
}

// BeforeResolve gives flags their values from the settings file and the environment.
func (c *cli) BeforeResolve(command *kong.Context) error {
	environ := env.Map(c.process.environ)
	file := config.Named(command)
	resolver, err := config.Resolver(file, environ)
	if err != nil {
		return err
	}
	if err := config.Check(settingNames(command.Model), file, environ); err != nil {
		return err
	}
	command.AddResolver(resolver)
	command.Bind(resolver)
	return nil
}

// settingNames is the flags of serve: the settings of the whole.
func settingNames(app *kong.Application) []string {
	var names []string
	for _, command := range app.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			names = append(names, flag.Name)
		}
	}
	return names
}

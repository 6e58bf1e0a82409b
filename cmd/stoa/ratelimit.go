package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"

	"stoa/ratelimit/rls"
)

// ratelimitCommand shows the three in kong's help. They are run by
// runFlagCommand: kong would read -domain as bundled short flags.
type ratelimitCommand struct {
	Ask     struct{} `cmd:"" help:"Ask a running service for a decision."`
	Check   struct{} `cmd:"" help:"Check rule files."`
	Explain struct{} `cmd:"" help:"Say why a request would pass or not, without counting."`
}

// flagCommand is a command whose flags take one or two dashes.
type flagCommand struct {
	usage string
	run   func(ctx context.Context, p process, flags *flag.FlagSet, args []string) error
}

var flagCommands = map[string]flagCommand{
	"ask":     {askUsage, runAsk},
	"check":   {checkUsage, runCheck},
	"explain": {explainUsage, runExplain},
}

// runFlagCommand runs `ratelimit ask, check, explain`; other commands are not done.
func runFlagCommand(ctx context.Context, p process) (done bool, status int) {
	if len(p.args) < 2 || p.args[0] != "ratelimit" {
		return false, 0
	}
	command, ok := flagCommands[p.args[1]]
	if !ok {
		return false, 0
	}
	flags := flag.NewFlagSet("stoa ratelimit "+p.args[1], flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	err := command.run(ctx, p, flags, p.args[2:])
	if errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(p.stdout)
		fmt.Fprintf(p.stdout, "%s\nFlags:\n", command.usage)
		flags.PrintDefaults()
		return true, exitDone
	}
	return true, statusOf(err, p.stderr)
}

// parseFlags parses flags that may stand before, between and after the arguments.
func parseFlags(flags *flag.FlagSet, args []string) (rest []string, err error) {
	for {
		if err := flags.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, usageError{err}
		}
		if flags.NArg() == 0 {
			return rest, nil
		}
		rest = append(rest, flags.Arg(0))
		args = flags.Args()[1:]
	}
}

// requestFlags is the flags that make a request.
type requestFlags struct {
	request rlsv3.RateLimitRequest
	texts   []string
	output  string
}

func (r *requestFlags) define(flags *flag.FlagSet) {
	flags.StringVar(&r.request.Domain, "domain", "", "rate limit domain to ask for")
	flags.Func("descriptors", "one descriptor as `k=v,k=v`; may be given several times", func(text string) error {
		d, err := rls.ParseDescriptor(text)
		if err != nil {
			return err
		}
		r.texts = append(r.texts, text)
		r.request.Descriptors = append(r.request.Descriptors, d)
		return nil
	})
	flags.StringVar(&r.output, "o", "text", "text or json")
}

// finish looks at what is left after parsing.
func (r *requestFlags) finish(rest []string) error {
	if len(rest) > 0 {
		return usageError{fmt.Errorf("unexpected argument %q", rest[0])}
	}
	return checkOutput(r.output)
}

func checkOutput(output string) error {
	if output != "text" && output != "json" {
		return usageError{fmt.Errorf("-o %s: want text or json", output)}
	}
	return nil
}

// show is the flags as talk, the way scripts know it from Envoy's client.
func (r *requestFlags) show(w io.Writer, flags *flag.FlagSet) {
	flags.VisitAll(func(f *flag.Flag) {
		value := f.Value.String()
		if f.Name == "descriptors" {
			value = strings.Join(r.texts, " ")
		}
		fmt.Fprintf(w, "Flag: --%s=%q\n", f.Name, value)
	})
}

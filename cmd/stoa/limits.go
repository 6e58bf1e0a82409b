package main

import (
	"fmt"
	"strings"

	"stoa/polls/limits"
	"stoa/video"
)

type limitsCommand struct {
	Show showLimitsCommand `cmd:"" help:"Print the rule file that comes with the program."`
}

type showLimitsCommand struct {
	Room string `arg:"" help:"Whose: ${enum}." enum:"polls,video"`
	Name string `arg:"" optional:"" default:"default" help:"Which: default; venue of the polls, for a hall or a school behind one address; sandbox of the videos, for the second environment."`
}

// Help is shown by --help.
func (showLimitsCommand) Help() string {
	return `Prints rules to begin with. A server looks for rules/polls.yaml and rules/video.yaml in its
data folder (of the second environment: in staging there), and reads them again whenever
they change; an edit with a fault changes nothing, and the log says in which line it is.

  mkdir -p stoa-data/rules
  stoa limits show polls > stoa-data/rules/polls.yaml
  stoa limits show polls venue
  stoa ratelimit check stoa-data/rules       # are they in order?`
}

// shippedRules is how each room names its rules.
var shippedRules = map[string]struct {
	text  func(name string) ([]byte, bool)
	names []string
}{
	"polls": {limits.Shipped, []string{limits.Default, limits.Venue}},
	"video": {video.ShippedRules, []string{video.DefaultRules, video.SandboxRules}},
}

func (c *showLimitsCommand) Run(p process) error {
	room := shippedRules[c.Room]
	text, ok := room.text(c.Name)
	if !ok {
		return usageError{fmt.Errorf("no rules %q of the %s: want %s", c.Name, c.Room, strings.Join(room.names, " or "))}
	}
	_, err := p.stdout.Write(text)
	return err
}

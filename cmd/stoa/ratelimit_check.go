package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"

	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

const checkUsage = `Usage: stoa ratelimit check [flags] DIR…

Checks the rule files below each DIR as the service would load them, and lists
every fault as FILE:LINE:COLUMN: text. The exit status is 1 when there is one.

  stoa ratelimit check config/
  stoa ratelimit check -merge_domain_configs -o json config/
`

func runCheck(_ context.Context, p process, flags *flag.FlagSet, args []string) error {
	dir := flags.String("config_dir", "", "a `DIR` to check, as the older checker takes it")
	merge := flags.Bool("merge_domain_configs", false, "several files may add to one domain")
	output := flags.String("o", "text", "text or json")
	dirs, err := parseFlags(flags, args)
	if err != nil {
		return err
	}
	if err := checkOutput(*output); err != nil {
		return err
	}
	if *dir != "" {
		dirs = append([]string{*dir}, dirs...)
	}
	if len(dirs) == 0 {
		return usageError{errors.New("which directory? stoa ratelimit check DIR")}
	}
	var faults ratelimit.Faults
	for _, dir := range dirs {
		_, found, err := readRules(p, dir, *merge)
		if err != nil {
			return err
		}
		faults = append(faults, found...)
	}
	return reportFaults(p, faults, *output)
}

// readRules reads a directory of rule files; the rules are nil when it has faults.
func readRules(p process, dir string, merge bool) (*ratelimit.Rules, ratelimit.Faults, error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, nil, err // the service waits for it to appear; who checks it expects it
	}
	specs, faults, skipped, err := rulefiles.Read(dir, false)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range skipped {
		fmt.Fprintf(p.stderr, "%s: not read, it is not a file *.yaml or *.yml\n", name)
	}
	rules, err := ratelimit.NewRules(specs, merge, faults...)
	all, _ := errors.AsType[ratelimit.Faults](err)
	return rules, all, nil
}

func reportFaults(p process, faults ratelimit.Faults, output string) error {
	switch {
	case output == "json":
		if err := json.NewEncoder(p.stdout).Encode(jsonFaults(faults)); err != nil {
			return err
		}
	case len(faults) == 0:
		fmt.Fprintln(p.stdout, "all rate limit configs ok")
	default:
		fmt.Fprintln(p.stdout, faults.Error())
	}
	if len(faults) > 0 {
		return errFaulty
	}
	return nil
}

type jsonFault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func jsonFaults(faults ratelimit.Faults) []jsonFault {
	list := make([]jsonFault, len(faults))
	for i, f := range faults {
		list[i] = jsonFault{f.At.File, f.At.Line, f.At.Column, f.Message}
	}
	return list
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"stoa/ratelimit"
	"stoa/ratelimit/rls"
)

const explainUsage = `Usage: stoa ratelimit explain [flags]

Says which rules a request meets and why, what its counters are and what it would
get now. Nothing is counted.

  stoa ratelimit explain -domain shop -descriptors path=/api,user=u1
  stoa ratelimit explain -config_dir config/ -domain shop -descriptors path=/api
`

type explainFlags struct {
	requestFlags
	address string
	dir     string
	merge   bool
}

func runExplain(ctx context.Context, p process, flags *flag.FlagSet, args []string) error {
	var f explainFlags
	f.define(flags)
	flags.StringVar(&f.address, "debug_address", "localhost:6070", "`address` of the service's debug port")
	flags.StringVar(&f.dir, "config_dir", "", "ask the rule files of `DIR` instead of a running service: no counts")
	flags.BoolVar(&f.merge, "merge_domain_configs", false, "with -config_dir: several files may add to one domain")
	rest, err := parseFlags(flags, args)
	if err != nil {
		return err
	}
	if err := f.finish(rest); err != nil {
		return err
	}
	explanation, err := f.explain(ctx, p)
	if err != nil {
		return err
	}
	if f.output == "json" {
		return json.NewEncoder(p.stdout).Encode(explanation)
	}
	return explanation.WriteText(p.stdout)
}

func (f *explainFlags) explain(ctx context.Context, p process) (*ratelimit.Explanation, error) {
	if f.dir == "" {
		return f.askService(ctx)
	}
	rules, faults, err := readRules(p, f.dir, f.merge)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return rls.ExplainOffline(rules, &f.request)
}

func (f *explainFlags) askService(ctx context.Context) (*ratelimit.Explanation, error) {
	body, err := rls.MarshalJSON(&f.request)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+f.address+"/explain", bytes.NewReader(body))
	if err != nil {
		return nil, usageError{err}
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no rate limit service answers at %s: %w", f.address, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", f.address, strings.Join(strings.Fields(string(text)), " "))
	}
	explanation := new(ratelimit.Explanation)
	if err := json.Unmarshal(text, explanation); err != nil {
		return nil, fmt.Errorf("%s does not answer like a rate limit service's debug port: %w", f.address, err)
	}
	return explanation, nil
}

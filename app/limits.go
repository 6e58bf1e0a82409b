package app

import (
	"context"
	"fmt"

	"stoa/internal/stats"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/rls"
	"stoa/video"
)

// nearKeys bounds the counters that stand in for a backend that is away.
const nearKeys = 1_000_000

// openPollsDecider opens what limits the polls of an environment; nil: nothing does.
func (a *App) openPollsDecider(environment string) (ratelimit.Decider, error) {
	spec, err := limits.Rules(a.cfg.Settings.Polls.Rules, polls.LimitDomain(environment))
	if err != nil {
		return nil, fmt.Errorf("polls_rules: %w", err)
	}
	return a.openDecider(spec)
}

// openVideoDecider opens what limits the videos of an environment. There are no rules:
// each call brings the figure of its key.
func (a *App) openVideoDecider(environment string) (ratelimit.Decider, error) {
	return a.openDecider(ratelimit.DomainSpec{Domain: video.LimitDomain(environment)})
}

// openDecider opens what limits by the rules of a domain. Whatever counts outside of
// this process has counters in it to stand in for it.
func (a *App) openDecider(spec ratelimit.DomainSpec) (ratelimit.Decider, error) {
	if a.cfg.Settings.Limits == off {
		return nil, nil
	}
	rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		return nil, fmt.Errorf("rules of %s: %w", spec.Domain, err)
	}
	near := a.limiter(rules, a.memoryCounter())
	far, err := a.openFar(rules)
	if err != nil || far == nil {
		return near, err
	}
	return ratelimit.NewFallback(ratelimit.FallbackOptions{Far: far, Near: near, Stats: a.stats, Log: a.log}), nil
}

// limiter decides by rules that never change. How the rate limit service is tried
// out (in shadow, as quota) does not concern it.
func (a *App) limiter(rules *ratelimit.Rules, counter ratelimit.Counter) *ratelimit.Limiter {
	config := a.cfg.Ratelimit.Decision
	config.Shadow, config.Quota = false, false
	l := ratelimit.New(ratelimit.Options{Config: config, Counter: counter, Stats: a.stats})
	l.Use(rules)
	return l
}

// memoryCounter has figures of its own: those of the process are the rate limit
// service's.
func (a *App) memoryCounter() ratelimit.Counter {
	config := a.cfg.Ratelimit.Memory
	if config.MaxKeys == 0 { // the backend is another
		config.MaxKeys = nearKeys
	}
	counter := memory.New(config, stats.NewRegistry(), a.log)
	a.backs = append(a.backs, counter.Run)
	return counter
}

// openFar opens what counts outside of this process, if anything does: another
// rate limit service, or the backend that processes share.
func (a *App) openFar(rules *ratelimit.Rules) (ratelimit.Decider, error) {
	if address := a.cfg.Settings.LimitsAddress; address != "" {
		client, err := rls.Dial(string(address), rls.ClientOptions{})
		if err != nil {
			return nil, fmt.Errorf("limits_address: %w", err)
		}
		a.closes = append(a.closes, client.Close)
		return client, nil
	}
	if a.cfg.Ratelimit.Backend.Name == "memory" {
		return nil, nil
	}
	if a.shared == nil {
		counter, err := a.openCounter(rls.NewHealth(), func(error) {})
		if err != nil {
			return nil, err
		}
		a.shared = counter
		a.backs = append(a.backs, func(ctx context.Context) error {
			if err := counter.connect(ctx); err != nil {
				a.log.Warn("limits are counted in this process", "error", err)
			}
			return nil
		})
	}
	return a.limiter(rules, a.shared.Counter), nil
}

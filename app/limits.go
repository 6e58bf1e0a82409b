package app

import (
	"context"
	"fmt"
	"path/filepath"

	"stoa/console"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/rls"
	"stoa/ratelimit/rulefiles"
	"stoa/video"
)

// nearKeys bounds the counters that stand in for a backend that is away.
const nearKeys = 1_000_000

// openPollsDecider opens what limits the polls of an environment; nil: nothing does.
func (e *environment) openPollsDecider() (ratelimit.Decider, error) {
	setting := e.app.cfg.Settings.Polls.Rules
	usual, _ := limits.Shipped(setting)
	return e.openDecider("polls", e.ruleFile("polls", setting, usual, limits.FileDomain, polls.LimitDomain(e.place.environment)))
}

// openVideoDecider opens what limits the videos of an environment; nil: nothing does.
func (e *environment) openVideoDecider() (ratelimit.Decider, error) {
	setting := e.app.cfg.Settings.Video.Rules
	var usual []byte
	if setting == video.DefaultRules || setting == "" {
		usual, _ = video.ShippedRules(video.UsualRules(e.place.environment))
	}
	return e.openDecider("video", e.ruleFile("video", setting, usual, video.RuleDomain, video.LimitDomain(e.place.environment)))
}

// ruleFile is where the rules of a room are: in the folder of the environment, with the
// usual ones while there are none, or where the setting says.
func (e *environment) ruleFile(room, setting string, usual []byte, written, domain string) rulefiles.FileOptions {
	o := rulefiles.FileOptions{
		Name: room + ".yaml", Path: setting, Usual: usual, Written: written, Domain: domain,
		Log: e.app.log.With("environment", e.place.environment),
	}
	if usual != nil {
		o.Path = e.place.ruleFile(room)
	}
	return o
}

// ruleFile is where somebody may put rules of a room.
func (p place) ruleFile(room string) string { return filepath.Join(p.folder, "rules", room+".yaml") }

// openDecider opens what limits by the rules of a file. Whatever counts outside of
// this process has counters in it to stand in for it.
func (e *environment) openDecider(room string, o rulefiles.FileOptions) (ratelimit.Decider, error) {
	a := e.app
	if a.cfg.Settings.Limits == off {
		return nil, nil
	}
	near := a.limiter(a.memoryCounter())
	source := console.LimitSource{Name: room, Limiter: near}
	o.Limiters = append(o.Limiters, near)
	far, err := a.openFar()
	if err != nil {
		return nil, err
	}
	var decider ratelimit.Decider = near
	if far != nil {
		decider = ratelimit.NewFallback(ratelimit.FallbackOptions{Far: far, Near: near, Stats: a.stats, Log: a.log})
		source.Address = string(a.cfg.Settings.LimitsAddress)
	}
	if shared, ok := far.(*ratelimit.Limiter); ok {
		o.Limiters = append(o.Limiters, shared)
		source.Limiter = shared
	}
	file, err := rulefiles.OpenFile(o)
	if err != nil {
		return nil, fmt.Errorf("%s_rules: %w", room, err)
	}
	a.backs = append(a.backs, file.Run)
	source.Files = file
	e.limits = append(e.limits, source)
	return decider, nil
}

// limiter has no rules yet. How the rate limit service is tried out (in shadow, as
// quota) does not concern it.
func (a *App) limiter(counter ratelimit.Counter) *ratelimit.Limiter {
	config := a.cfg.Ratelimit.Decision
	config.Shadow, config.Quota = false, false
	return ratelimit.New(ratelimit.Options{Config: config, Counter: counter, Stats: a.stats})
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
// rate limit service, or a limiter on the backend that processes share.
func (a *App) openFar() (ratelimit.Decider, error) {
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
	return a.limiter(a.shared.Counter), nil
}

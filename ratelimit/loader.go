package ratelimit

import (
	"log/slog"
	"sync"

	"stoa/internal/stats"
)

// Loader puts sets of rules in force, whatever they come from: a good set takes
// the place of the old one whole, a bad one changes nothing.
type Loader struct {
	limiter *Limiter
	merge   bool
	log     *slog.Logger
	loaded  func(domains int)

	mu        sync.Mutex // one load at a time
	faults    Faults     // of the last set
	good, bad *stats.Counter
	domains   *stats.Gauge
}

// NewLoader makes a Loader. With merge, a domain may come in several specs. After
// each good set, loaded is told how many domains it has.
func NewLoader(l *Limiter, merge bool, log *slog.Logger, loaded func(domains int)) *Loader {
	return &Loader{
		limiter: l, merge: merge, log: log, loaded: loaded,
		good: l.Stats.Counter("ratelimit.service.config_load_success"),
		bad:  l.Stats.Counter("ratelimit.service.config_load_error"),

		domains: l.Stats.Gauge("ratelimit.service.config_domains"),
	}
}

// Load takes a whole set: the specs that could be read and the faults of those
// that could not. The error, if any, is all Faults of the set.
func (l *Loader) Load(specs []DomainSpec, faults Faults) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	rules, err := NewRules(specs, l.merge, faults...)
	all, rejected := err.(Faults)
	l.faults = all
	if rejected {
		for _, f := range all {
			l.log.Error("Error loading new configuration: " + f.Error())
		}
		l.bad.Add(1) // who sees it grow finds the reasons in the log
		return all
	}
	rules.log(specs, l.log)
	l.limiter.Use(rules)
	l.good.Add(1)
	l.domains.Set(int64(len(rules.domains)))
	l.log.Info("Successfully loaded new configuration", "domains", len(rules.domains))
	l.loaded(len(rules.domains))
	return nil
}

// Faults is what is wrong with the set that was loaded last; nil when it is in force.
func (l *Loader) Faults() Faults {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.faults
}

package ratelimit

import (
	"context"
	"fmt"
	"log/slog"
)

// log tells at debug level what was loaded, in the words that Envoy's service uses.
func (r *Rules) log(specs []DomainSpec, log *slog.Logger) {
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	seen := make(map[string]bool)
	for i := range specs {
		domain := specs[i].Domain
		if seen[domain] {
			log.Debug("patching domain: " + domain)
			continue
		}
		seen[domain] = true
		log.Debug("loading domain: " + domain)
		r.domains[domain].walk(domain, func(n *node, path string) bool {
			log.Debug("loading descriptor: key=" + path + n.limitText())
			return true
		})
	}
}

func (n *node) limitText() string {
	if n.rule == nil {
		return ""
	}
	return fmt.Sprintf(" ratelimit={requests_per_unit=%d, unit=%s, unlimited=%t, shadow_mode=%t, quota_mode=%t}",
		n.rule.Limit.Requests, n.rule.Limit.Unit, n.rule.Unlimited, n.rule.Shadow, n.rule.Quota)
}

// String is a line of the list of limits that operators read.
func (r *Rule) String() string {
	line := fmt.Sprintf("%s: unit=%s requests_per_unit=%d, shadow_mode: %t, quota_mode: %t",
		r.Path, r.Limit.Unit, r.Limit.Requests, r.Shadow, r.Quota)
	if r.Limit.Multiplier > 1 {
		line += fmt.Sprintf(", unit_multiplier: %d", r.Limit.Multiplier)
	}
	return line
}

package app

import (
	"fmt"
	"os"

	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/video"
)

// examineLimits looks at the rule files that somebody put beside what each environment
// keeps. Without one there is nothing to say.
func (c *Config) examineLimits() []Finding {
	var findings []Finding
	for _, name := range Environments() {
		where, err := c.Settings.place(name)
		if err != nil {
			continue
		}
		for _, written := range []string{limits.FileDomain, video.RuleDomain} {
			path := where.ruleFile(written)
			text, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				continue
			}
			if err == nil {
				_, err = ratelimit.ParseDomain(path, text, written, written)
			}
			what := fmt.Sprintf("%s rules of %s", written, name)
			if err != nil {
				findings = append(findings, Finding{what, false, err.Error(), "correct the file, or remove it to have the rules of stoa limits show " + written})
				continue
			}
			findings = append(findings, Finding{what, true, path, ""})
		}
	}
	return findings
}

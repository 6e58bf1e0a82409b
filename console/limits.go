package console

import (
	"slices"
	"strings"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

func (c *Console) limitRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/limits":              c.forOperator(c.getLimits),
		"POST " + base + "/limits/explain":     c.forOperator(c.postLimitsExplain),
		"POST " + base + "/limits/check":       c.forOperator(c.postLimitsCheck),
		"GET " + base + "/limits/files/{name}": c.forOperator(c.getRuleFile),
		"PUT " + base + "/limits/files/{name}": c.forOperator(c.putRuleFile),
	}
}

// LimitSource is rules that hold in this environment, and where they come from.
type LimitSource struct {
	Name    string // polls, video, ratelimit
	Limiter *ratelimit.Limiter
	Files   RuleFiles // nil: a control plane sends them
	Prefix  string    // before the names of its files
	Address string    // of another service that decides as long as it answers; "": none
}

// RuleFiles is the files of a LimitSource: *rulefiles.File, *rulefiles.Folder.
type RuleFiles interface {
	Names() []string
	Read(name string) (rulefiles.Text, error)
	// Check compiles all files with a text in the place of one; the error is Faults.
	Check(name string, text []byte) (*ratelimit.Rules, error)
	// Write puts a text in the place of the version that was read, and in force.
	Write(name string, text []byte, version string) error
	// Faults is what keeps the files, as they stand, from being in force.
	Faults() ratelimit.Faults
}

// ruleFault is something wrong with a rule file.
type ruleFault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

func (s *LimitSource) faults(all ratelimit.Faults) []ruleFault {
	told := make([]ruleFault, len(all))
	for i, f := range all {
		told[i] = ruleFault{s.Prefix + f.At.File, f.At.Line, f.At.Column, f.Message}
	}
	return told
}

// ruleFile finds a file by the name that the API has for it. A name with no source of
// its own is no file.
func (c *Console) ruleFile(name string) (source *LimitSource, file string, err error) {
	for i := range c.Limits {
		s := &c.Limits[i]
		if s.Files == nil {
			continue
		}
		if s.Prefix != "" {
			if file, ok := strings.CutPrefix(name, s.Prefix); ok {
				return s, file, nil
			}
			continue
		}
		if slices.Contains(s.Files.Names(), name) {
			return s, name, nil
		}
	}
	return nil, "", fault.New(fault.NotFound, "there is no rule file %q here; GET %s/limits lists them", name, base)
}

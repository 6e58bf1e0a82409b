package console

import (
	"time"

	"stoa/ratelimit"
)

// limitsAnswer is every rule that holds here, with what came of it.
type limitsAnswer struct {
	At      time.Time      `json:"at"` // of the counts
	Sources []sourceAnswer `json:"sources"`
}

type sourceAnswer struct {
	Name    string         `json:"name"`
	Address string         `json:"address"` // "": decided in this process
	Files   []fileAnswer   `json:"files"`
	Faults  []ruleFault    `json:"faults"` // the rules before hold while there are any
	Domains []domainAnswer `json:"domains"`
}

type fileAnswer struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	There    bool   `json:"there"` // else the rules that come with the program hold
	ReadOnly string `json:"readOnly"`
}

type domainAnswer struct {
	Name     string       `json:"name"`
	Override *ruleCounts  `json:"override"` // of callers who brought a limit of their own
	Nodes    []nodeAnswer `json:"nodes"`
}

type nodeAnswer struct {
	Name     string       `json:"name"`
	Key      string       `json:"key"`
	Value    string       `json:"value"` // "": any
	File     string       `json:"file"`
	Line     int          `json:"line"`
	Rule     *ruleAnswer  `json:"rule"` // null: no limit at this node
	Children []nodeAnswer `json:"children"`
}

type ruleAnswer struct {
	Path  string `json:"path"`
	Terms string `json:"terms"`
	ruleCounts
}

// ruleCounts is since the process began.
type ruleCounts struct {
	Hits   uint64 `json:"hits"`
	Near   uint64 `json:"near"`
	Over   uint64 `json:"over"`
	Shadow uint64 `json:"shadow"`
}

// getLimits is asked again and again while somebody watches.
func (c *Console) getLimits(call *call) error {
	answer := limitsAnswer{At: time.Now().UTC(), Sources: []sourceAnswer{}}
	for i := range c.Limits {
		answer.Sources = append(answer.Sources, c.Limits[i].answer())
	}
	return call.answer(answer)
}

func (s *LimitSource) answer() sourceAnswer {
	told := sourceAnswer{Name: s.Name, Address: s.Address, Files: []fileAnswer{}, Faults: []ruleFault{}, Domains: []domainAnswer{}}
	if s.Files != nil {
		for _, name := range s.Files.Names() {
			told.Files = append(told.Files, s.fileAnswer(name))
		}
		told.Faults = s.faults(s.Files.Faults())
	}
	rules, counts := s.Limiter.Rules(), s.Limiter.Counts()
	if rules == nil { // none were ever good
		return told
	}
	for _, domain := range rules.Domains() {
		d := domainAnswer{Name: domain, Nodes: s.nodes(rules.Tree(domain), counts)}
		if own, ok := counts[ratelimit.OverridePath(domain)]; ok {
			d.Override = new(ruleCounts(own))
		}
		told.Domains = append(told.Domains, d)
	}
	return told
}

// fileAnswer tells also of a file that cannot be read.
func (s *LimitSource) fileAnswer(name string) fileAnswer {
	t, err := s.Files.Read(name)
	if err != nil {
		return fileAnswer{Name: s.Prefix + name, Path: t.Path, ReadOnly: err.Error()}
	}
	return fileAnswer{s.Prefix + name, t.Path, t.There, t.ReadOnly}
}

func (s *LimitSource) nodes(tree []ratelimit.Node, counts map[string]ratelimit.RuleCounts) []nodeAnswer {
	nodes := make([]nodeAnswer, len(tree))
	for i, n := range tree {
		nodes[i] = nodeAnswer{Name: n.Name, Key: n.Key, Value: n.Value, Line: n.At.Line, Children: s.nodes(n.Children, counts)}
		if n.At.File != "" {
			nodes[i].File = s.Prefix + n.At.File
		}
		if n.Rule != nil {
			nodes[i].Rule = &ruleAnswer{n.Path, n.Rule.Terms(), ruleCounts(counts[n.Path])}
		}
	}
	return nodes
}

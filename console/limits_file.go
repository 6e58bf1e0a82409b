package console

import (
	"errors"
	"net/http"

	"stoa/ratelimit"
	"stoa/ratelimit/rulefiles"
)

// ruleText is a rule file as it stands.
type ruleText struct {
	fileAnswer
	Text    string      `json:"text"`
	Version string      `json:"version"` // to be sent along with an edit
	Faults  []ruleFault `json:"faults"`
}

func (c *Console) getRuleFile(call *call) error {
	source, name, err := c.ruleFile(call.r.PathValue("name"))
	if err != nil {
		return err
	}
	return call.answerRuleFile(source, name)
}

func (call *call) answerRuleFile(s *LimitSource, name string) error {
	t, err := s.Files.Read(name)
	if err != nil {
		return err
	}
	told := ruleText{fileAnswer{s.Prefix + name, t.Path, t.There, t.ReadOnly}, string(t.Text), t.Version, []ruleFault{}}
	if t.There {
		_, err = s.Files.Check(name, t.Text)
		if faults, ok := errors.AsType[ratelimit.Faults](err); ok {
			told.Faults = s.faults(faults)
		}
	}
	return call.answer(told)
}

var errRulesChanged = &refusal{http.StatusConflict, "changed", rulefiles.ErrChanged.Error()}

// putRuleFile puts an edit live, if the file is still the one that was edited.
func (c *Console) putRuleFile(call *call) error {
	source, name, err := c.ruleFile(call.r.PathValue("name"))
	if err != nil {
		return err
	}
	var body struct {
		Text    string `json:"text"`
		Version string `json:"version"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	err = source.Files.Write(name, []byte(body.Text), body.Version)
	faults, faulty := errors.AsType[ratelimit.Faults](err)
	switch {
	case faulty:
		return &refusal{http.StatusUnprocessableEntity, "faulty", faults.Error()}
	case errors.Is(err, rulefiles.ErrChanged):
		return errRulesChanged
	case err != nil:
		return err
	}
	c.Log.Info("an operator changed rules", "file", source.Prefix+name, "operator", call.operator.Username)
	return call.answerRuleFile(source, name)
}

// ruleCheck is what a text would do.
type ruleCheck struct {
	Faults  []ruleFault  `json:"faults"`
	Changes []ruleChange `json:"changes"`
}

// ruleChange is a rule that would be another; null: there is none.
type ruleChange struct {
	Path string  `json:"path"`
	Was  *string `json:"was"`
	Now  *string `json:"now"`
}

// postLimitsCheck says what is wrong with a text, or what it would change, and does nothing.
func (c *Console) postLimitsCheck(call *call) error {
	var body struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	source, name, err := c.ruleFile(body.Name)
	if err != nil {
		return err
	}
	told := ruleCheck{[]ruleFault{}, []ruleChange{}}
	next, err := source.Files.Check(name, []byte(body.Text))
	faults, faulty := errors.AsType[ratelimit.Faults](err)
	switch {
	case faulty:
		told.Faults = source.faults(faults)
	case err != nil:
		return err
	default:
		told.Changes = source.changes(next)
	}
	return call.answer(told)
}

func (s *LimitSource) changes(next *ratelimit.Rules) []ruleChange {
	now := s.Limiter.Rules()
	if now == nil { // none were ever good
		now = new(ratelimit.Rules)
	}
	changes := []ruleChange{}
	for _, change := range now.Changes(next) {
		changes = append(changes, ruleChange{change.Path, termsOf(change.Was), termsOf(change.Now)})
	}
	return changes
}

func termsOf(r *ratelimit.Rule) *string {
	if r == nil {
		return nil
	}
	return new(r.Terms())
}

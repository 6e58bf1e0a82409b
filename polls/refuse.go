package polls

import (
	"errors"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// refuseText tells which parameter a text came from. Any other error stays what it
// is.
func refuseText(field string, err error) error {
	problem, ok := errors.AsType[*text.Problem](err)
	if !ok {
		return err
	}
	return wire.Errorf(wire.Code(problem.Kind), field, "%s", problem.Message)
}

// refused tells whether an error is meant for the caller, and not a failure of ours.
func refused(err error) bool {
	refusal, ok := errors.AsType[*wire.Error](err)
	return ok && refusal.Code.Status() < 500
}

// needText is the normal form of a text that must be given.
func needText(field, given string, normal func(string) (string, error)) (string, error) {
	if given == "" {
		return "", wire.Missing(field)
	}
	s, err := normal(given)
	if err != nil {
		return "", refuseText(field, err)
	}
	return s, nil
}

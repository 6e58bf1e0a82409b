package fault_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"stoa/internal/fault"
)

func TestKindShowsThroughWrapping(t *testing.T) {
	err := fmt.Errorf("count: %w", fault.Wrap(fault.Unavailable, io.ErrUnexpectedEOF))
	for _, want := range []error{fault.Unavailable, io.ErrUnexpectedEOF} {
		if !errors.Is(err, want) {
			t.Errorf("got no %v in %v", want, err)
		}
	}
	if errors.Is(err, fault.Invalid) {
		t.Errorf("got %v in %v", fault.Invalid, err)
	}
	if known, ok := errors.AsType[*fault.Error](err); !ok || known.Message != io.ErrUnexpectedEOF.Error() {
		t.Errorf("got message %v, want that of the cause", known)
	}
}

func TestSentinelIsItself(t *testing.T) {
	sentinel := fault.New(fault.Invalid, "no %s", "domain")
	if !errors.Is(fmt.Errorf("decide: %w", sentinel), sentinel) || sentinel.Error() != "no domain" {
		t.Errorf("got %v", sentinel)
	}
}

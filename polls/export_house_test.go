package polls

import (
	"testing"
	"time"
)

// KeepHouse does a round, after the one that may be under way.
func (s *Service) KeepHouse(t *testing.T) {
	t.Helper()
	release, err := s.waitLease(t.Context(), "house", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if err := s.doChores(t.Context(), time.Now(), s.chores()); err != nil {
		t.Fatal(err)
	}
}

// Lease takes a lease, nil when somebody has it.
func (s *Service) Lease(t *testing.T, name string) (release func()) {
	t.Helper()
	release, err := s.tryLease(t.Context(), name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

var NewPacedBody = newPacedBody

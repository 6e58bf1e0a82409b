package credential_test

import (
	"regexp"
	"testing"

	"stoa/polls/internal/credential"
)

func TestAccountVoter(t *testing.T) {
	t.Parallel()
	if got, want := credential.AccountVoter(258), credential.Voter("u258"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestPseudonymsDifferFromPollToPoll(t *testing.T) {
	t.Parallel()
	r := staging(t)
	one := r.Pseudonym(1, knownVoter)
	if !regexp.MustCompile(`^[0-9a-f]{60}$`).MatchString(one) {
		t.Errorf("got %q, want 60 hex digits", one)
	}
	if r.Pseudonym(1, knownVoter) != one {
		t.Error("same poll: got another, want the same")
	}
	if r.Pseudonym(2, knownVoter) == one {
		t.Error("other poll: got the same, want another")
	}
	if r.Pseudonym(1, r.AnonymousVoter(r.Mint(noon))) == one {
		t.Error("other voter: got the same, want another")
	}
	if _, ok := r.Verify(one); ok {
		t.Error("as an id: got accepted, want refused")
	}
}

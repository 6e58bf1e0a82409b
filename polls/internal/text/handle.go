package text

import (
	"slices"
	"strings"
)

// handle is a name of few characters that stands in addresses.
type handle struct {
	bounds
	allowed func(rune) bool
	said    string // what is allowed, for messages
}

var (
	username  = handle{bounds{noun: "username", min: 2, max: 32}, inUsername, "A-Z a-z 0-9 _"}
	publisher = handle{bounds{noun: "publisher name", min: 1, max: 64}, inName, "a-z 0-9 _ -"}
	set       = handle{bounds{noun: "poll set name", min: 1, max: 64}, inName, "a-z 0-9 _ -"}
	placement = handle{bounds{noun: "placement", min: 1, max: 64}, inName, "a-z 0-9 _ -"}
)

// reserved are the usernames that addresses of the service use, or that would
// pass for the service.
var reserved = []string{"me", "authenticate", "sign_out", "join", "login", "admin", "api", "anonymous"}

// Username keeps its case; compare and look up by [Fold].
func Username(s string) (string, error) {
	s, err := username.normal(s)
	if err == nil && slices.Contains(reserved, Fold(s)) {
		return "", problem(InvalidText, "this username is reserved; choose another")
	}
	return s, err
}

// PublisherName is a publisher's name in addresses. There, new is where one is made.
func PublisherName(s string) (string, error) {
	s, err := publisher.normal(s)
	if err == nil && s == "new" {
		return "", problem(InvalidText, "this publisher name is reserved; choose another")
	}
	return s, err
}

// SetName is a poll set's name in addresses.
func SetName(s string) (string, error) { return set.normal(s) }

// Placement is the name of a slot on a publisher's pages.
func Placement(s string) (string, error) { return placement.normal(s) }

// normal says "too long" or "too short" only of what is well made.
func (h handle) normal(s string) (string, error) {
	s = strings.TrimSpace(s)
	if strings.ContainsFunc(s, func(r rune) bool { return !h.allowed(r) }) {
		return "", problem(InvalidText, "the %s may hold %s only", h.noun, h.said)
	}
	if err := h.measure(s); err != nil {
		return "", err
	}
	return s, nil
}

func inUsername(r rune) bool { return inName(r) && r != '-' || 'A' <= r && r <= 'Z' }

func inName(r rune) bool {
	return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' || r == '-'
}

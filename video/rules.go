package video

import (
	"embed"
	"fmt"
	"os"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// The rules that are shipped, by name.
const (
	DefaultRules = "default" // those of the environment, as a setting
	SandboxRules = "sandbox"
)

// RuleDomain is what every rule file is written for, whatever the environment.
const RuleDomain = "video"

//go:embed rules/*.yaml
var shippedRules embed.FS

// ShippedRules is the text of the rules of that name; false: there are none.
func ShippedRules(name string) ([]byte, bool) {
	if name != DefaultRules && name != SandboxRules {
		return nil, false
	}
	text, err := shippedRules.ReadFile("rules/" + name + ".yaml")
	return text, err == nil
}

// UsualRules is the name of the shipped rules of an environment.
func UsualRules(environment string) string {
	if environment == Production {
		return DefaultRules
	}
	return SandboxRules
}

// checkRules tells what is wrong with a setting for the rules.
func checkRules(setting string) error {
	if setting == DefaultRules || setting == "" {
		return nil
	}
	text, err := os.ReadFile(setting)
	if err != nil {
		return fault.Wrap(fault.Invalid, fmt.Errorf("rules for the videos: want %s or the path of a file, got %q: %w", DefaultRules, setting, err))
	}
	_, err = ratelimit.ParseDomain(setting, text, RuleDomain, RuleDomain)
	return err
}

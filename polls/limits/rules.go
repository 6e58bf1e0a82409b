package limits

import (
	"embed"
	"fmt"
	"os"

	"stoa/internal/fault"
	"stoa/ratelimit"
)

// The rules that are shipped, by name.
const (
	Default = "default"
	Venue   = "venue" // for a hall or a school, where many people have one address
)

// FileDomain is what every rule file is written for, whatever the environment.
const FileDomain = "polls"

// streams is how many event streams one address may have open. They are held, not
// counted in windows, so no rule can say it.
var streams = map[string]int{Default: 10, Venue: 2000}

//go:embed rules/*.yaml
var shipped embed.FS

// Shipped is the text of the rules of that name; false: there are none.
func Shipped(name string) ([]byte, bool) {
	if _, ok := streams[name]; !ok {
		return nil, false
	}
	text, err := shipped.ReadFile("rules/" + name + ".yaml")
	return text, err == nil
}

// Rules reads rules for a domain: the shipped ones of that name, or those of the
// file that name leads to. Several environments may take the same ones.
func Rules(name, domain string) (ratelimit.DomainSpec, error) {
	text, ok := Shipped(name)
	if !ok {
		var err error
		if text, err = os.ReadFile(name); err != nil {
			return ratelimit.DomainSpec{}, fault.Wrap(fault.Invalid,
				fmt.Errorf("rules for the polls: want %s, %s or the path of a file, got %q: %w", Default, Venue, name, err))
		}
	}
	spec, err := ratelimit.ParseDomain(name, text, FileDomain, domain)
	if err != nil {
		return ratelimit.DomainSpec{}, fault.Wrap(fault.Invalid, err)
	}
	return spec, nil
}

// Streams is how many event streams one address may have open under the rules of
// that name. With a file of one's own it is as with the default ones.
func Streams(name string) int {
	if n, ok := streams[name]; ok {
		return n
	}
	return streams[Default]
}

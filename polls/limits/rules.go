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

// fileDomain is what every rule file is written for, whatever the environment.
const fileDomain = "polls"

// streams is how many event streams one address may have open. They are held, not
// counted in windows, so no rule can say it.
var streams = map[string]int{Default: 10, Venue: 2000}

//go:embed rules/*.yaml
var shipped embed.FS

// Rules reads rules for a domain: the shipped ones of that name, or those of the
// file that name leads to. Several environments may take the same ones.
func Rules(name, domain string) (ratelimit.DomainSpec, error) {
	spec, err := read(name)
	if err != nil {
		return ratelimit.DomainSpec{}, err
	}
	if _, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false); err != nil {
		return ratelimit.DomainSpec{}, fault.Wrap(fault.Invalid, err)
	}
	if spec.Domain != fileDomain {
		return ratelimit.DomainSpec{}, fault.New(fault.Invalid, "%v: rules for the polls need domain: %s, got %s", spec.At, fileDomain, spec.Domain)
	}
	spec.Domain = domain
	return spec, nil
}

func read(name string) (ratelimit.DomainSpec, error) {
	var text []byte
	var err error
	if _, ok := streams[name]; ok {
		text, err = shipped.ReadFile("rules/" + name + ".yaml")
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return ratelimit.DomainSpec{}, fault.Wrap(fault.Invalid,
			fmt.Errorf("rules for the polls: want %s, %s or the path of a file, got %q: %w", Default, Venue, name, err))
	}
	spec, err := ratelimit.ParseYAML(name, text)
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

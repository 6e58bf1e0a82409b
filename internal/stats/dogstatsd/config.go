package dogstatsd

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"stoa/internal/stats"
)

// Both spellings of the variables are in use.
var (
	listVariables      = []string{"USE_DOG_STATSD_MOGRIFIERS", "DOG_STATSD_MOGRIFIERS"}
	definitionPrefixes = []string{"DOG_STATSD_MOGRIFIER_", "DOG_STATSD_MOGRIFIERS_"}
)

// Mogrifiers reads the mogrifiers from the environment, in the order of the
// list variable, which is the order in which they are tried. A variable set to
// nothing is not set. The error lists everything that is wrong.
func Mogrifiers(environ map[string]string) ([]Mogrifier, error) {
	var mogrifiers []Mogrifier
	var errs []error
	for _, name := range listed(environ) {
		m, err := mogrifier(environ, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		mogrifiers = append(mogrifiers, m)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return mogrifiers, nil
}

func listed(environ map[string]string) []string {
	var names []string
	for _, variable := range listVariables {
		for name := range strings.SplitSeq(environ[variable], ",") {
			name = strings.TrimSpace(name)
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func mogrifier(environ map[string]string, name string) (Mogrifier, error) {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	m := Mogrifier{}
	var err error
	if pattern, variable := lookup(environ, name, "PATTERN"); pattern == "" {
		fail("%s is not set: mogrifier %s needs a regular expression", variable, name)
	} else if m.Pattern, err = regexp.Compile(pattern); err != nil {
		fail("%s: %w", variable, err)
	}
	newName, variable := lookup(environ, name, "NAME")
	if newName == "" {
		fail("%s is not set: mogrifier %s needs a new name", variable, name)
	}
	m.Name = newName
	tags, variable := lookup(environ, name, "TAGS")
	if m.Tags, err = stats.ParseTags(tags); err != nil {
		fail("%s: %w", variable, err)
	}
	return m, errors.Join(errs...)
}

// lookup returns a part of a definition and the variable it stands in, or
// should stand in. Names of mogrifiers may be listed in another letter case
// than their variables, which are then all capitals.
func lookup(environ map[string]string, name, part string) (value, variable string) {
	for _, prefix := range definitionPrefixes {
		for _, spelling := range []string{name, strings.ToUpper(name)} {
			variable := prefix + spelling + "_" + part
			if value := environ[variable]; value != "" {
				return value, variable
			}
		}
	}
	return "", definitionPrefixes[0] + strings.ToUpper(name) + "_" + part
}

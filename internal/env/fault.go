package env

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	caarlos "github.com/caarlos0/env/v11"
)

// longest is how much of a value an error shows, in bytes.
const longest = 200

var userinfo = regexp.MustCompile(`://.*@`)

// Show gives name="value" for an error or a log line, and only the name where
// the value is not to be seen: when the name contains AUTH, PASSWORD, PASSPHRASE,
// SECRET, KEY, TOKEN or HEADER, in any letter case. Of a URL it hides user and password.
func Show(name, value string) string {
	if hidden(name) {
		return name
	}
	if len(value) > longest {
		value = value[:longest] + "…"
	}
	return fmt.Sprintf("%s=%s", name, userinfo.ReplaceAllString(fmt.Sprintf("%q", value), "://…@"))
}

// Fault is the line for a value that was refused with err. An error that is
// not ours may repeat the value, so it is left out where [Show] hides that.
func Fault(name, value string, err error) error {
	reason := userinfo.ReplaceAllString(strings.Join(strings.Fields(err.Error()), " "), "://…@")
	if _, ours := errors.AsType[want](err); !ours && hidden(name) {
		reason = "malformed value (not shown)"
	}
	return fmt.Errorf("%s: %s", Show(name, value), reason)
}

func hidden(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range []string{"AUTH", "PASSWORD", "PASSPHRASE", "SECRET", "KEY", "TOKEN", "HEADER"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// faults finds the variables behind the errors of the library, which names
// fields only: each variable is parsed again with all others empty. Those
// stay in the map, because they tell the length of a list of structs, and a
// default counts as given only for the variable whose turn it is.
func faults(into any, params []caarlos.FieldParams, options caarlos.Options, cause error) error {
	var lines []error
	seen := map[string]bool{}
	for _, p := range params {
		value, label := options.Environment[p.Key], p.Key
		if value == "" {
			value, label = p.DefaultValue, "the default of "+p.Key
		}
		if value == "" || seen[p.Key] {
			continue
		}
		if err := refusal(into, p.Key, value, options); err != nil {
			seen[p.Key] = true
			lines = append(lines, Fault(label, value, err))
		}
	}
	return errors.Join(append(lines, others(cause)...)...)
}

func refusal(into any, key, value string, options caarlos.Options) error {
	alone := map[string]string{}
	for name := range options.Environment {
		alone[name] = ""
	}
	alone[key] = value
	options.Environment = alone
	options.DefaultValueTagName = "envNoDefault"
	scratch, err := scratch(into)
	if err != nil {
		return err
	}
	parse, ok := errors.AsType[caarlos.ParseError](caarlos.ParseWithOptions(scratch, options))
	if !ok {
		return nil
	}
	return parse.Err
}

// others are the errors that no value causes.
func others(cause error) []error {
	all, ok := errors.AsType[caarlos.AggregateError](cause)
	if !ok {
		return []error{cause}
	}
	var lines []error
	for _, err := range all.Errors {
		switch err := err.(type) {
		case caarlos.ParseError:
		case caarlos.VarIsNotSetError:
			lines = append(lines, fmt.Errorf("%s: must be set", err.Key))
		case caarlos.EmptyVarError:
			lines = append(lines, fmt.Errorf("%s: must be set", err.Key))
		default:
			lines = append(lines, err)
		}
	}
	return lines
}

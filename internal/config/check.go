package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"stoa/internal/spelling"
)

// Check reports the settings of file and environment that are not among the
// known ones, in any of the three spellings, and the faults of the file. The
// file is that of [Resolver].
func Check(known []string, file string, environ map[string]string) error {
	keys := make([]string, 0, len(known))
	for _, name := range known {
		keys = append(keys, keyOf(name))
	}
	doc, err := load(file, environ)
	faults := append([]error{err}, doc.unknown(keys)...)
	return errors.Join(append(faults, unknownVariables(keys, environ)...)...)
}

func (d document) unknown(known []string) []error {
	inOrder := slices.SortedFunc(maps.Keys(d.settings), func(a, b string) int {
		one, other := d.settings[a], d.settings[b]
		return cmp.Or(cmp.Compare(one.line, other.line), cmp.Compare(one.column, other.column))
	})
	var faults []error
	for _, key := range inOrder {
		if slices.Contains(known, key) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(key, known); near != "" {
			hint = fmt.Sprintf(", did you mean %q?", near)
		}
		at := d.settings[key]
		faults = append(faults, d.fault(at.line, at.column, "unknown setting %q%s", key, hint))
	}
	return faults
}

// unknownVariables shows no values: a misspelled secret is still one.
func unknownVariables(known []string, environ map[string]string) []error {
	services := kubernetesServices(environ)
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(environ)) {
		if !strings.HasPrefix(name, variablePrefix) || environ[name] == "" ||
			variableOf(keyOf(name)) == name && slices.Contains(known, keyOf(name)) ||
			name == "STOA_CONFIG" || strings.HasPrefix(name, "STOA_TEST_") || fromKubernetes(name, services) {
			continue
		}
		hint := ""
		if near := spelling.Nearest(keyOf(name), known); near != "" {
			hint = fmt.Sprintf(", did you mean %q?", variableOf(near))
		}
		faults = append(faults, fmt.Errorf("unknown setting %q%s", name, hint))
	}
	return faults
}

// kubernetesServices are the services whose addresses Kubernetes put into the
// environment: stoa always, and each called stoa-something that has a host.
func kubernetesServices(environ map[string]string) []string {
	services := []string{"STOA"}
	for name := range environ {
		service, ok := strings.CutSuffix(name, "_SERVICE_HOST")
		if ok && strings.HasPrefix(service, variablePrefix) {
			services = append(services, service)
		}
	}
	return services
}

func fromKubernetes(name string, services []string) bool {
	return slices.ContainsFunc(services, func(service string) bool {
		rest, ok := strings.CutPrefix(name, service+"_")
		return ok && (rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest == "PORT" ||
			strings.HasPrefix(rest, "SERVICE_PORT_") || strings.HasPrefix(rest, "PORT_"))
	})
}

// Package env fills a struct from environment variables.
//
// A field names its variable and its default by tags, a nested struct may put
// a prefix before the names of its fields:
//
//	type Config struct {
//		Port  int `env:"PORT" envDefault:"8080"`
//		Redis struct {
//			Timeout time.Duration `env:"TIMEOUT" envDefault:"10s"`
//		} `envPrefix:"REDIS_"`
//	}
//
// A variable set to the empty string counts as not set. What a value may look
// like is said at [Parse]. The environment is always an argument, see [Map]:
// nothing here looks at that of the process.
package env

import (
	"errors"
	"reflect"

	caarlos "github.com/caarlos0/env/v11"
)

// Map turns the form of os.Environ into a map. Of a name given twice the last
// value counts.
func Map(environ []string) map[string]string { return caarlos.ToMap(environ) }

// Parse fills the struct that into points to. Fields without a variable and
// without a default keep what they hold.
//
// Whole numbers may be hexadecimal (0x1f) or octal (017, 0o17), durations need
// a unit, bools are those of strconv.ParseBool, lists (a, b) and maps (k:v,
// k:v) are separated by commas, with blanks around their items ignored. A type
// with UnmarshalText reads itself, and its error should say what it wants.
//
// The error has one line for each faulty variable, with its name, its value
// unless [Show] hides it, and what is allowed. The struct is then half filled.
func Parse(into any, environ map[string]string) error {
	params, err := variables(into, environ)
	if err != nil {
		return err
	}
	// The library asks for untagged fields too, under the bare prefix: it gets
	// to see nothing but the variables that exist. Nor must the map be nil, or
	// it would take the environment of the process.
	known := map[string]string{}
	for _, p := range params {
		if value := environ[p.Key]; value != "" {
			known[p.Key] = value
		}
	}
	options := caarlos.Options{Environment: known, FuncMap: readers(reflect.TypeOf(into))}
	if err := caarlos.ParseWithOptions(into, options); err != nil {
		return faults(into, params, options, err)
	}
	return nil
}

// Names lists the variables that a struct, or what a pointer to one points to,
// knows; in the order of its fields, each once.
func Names(v any) []string {
	params, err := variables(v, map[string]string{})
	if err != nil {
		return nil
	}
	var names []string
	seen := map[string]bool{}
	for _, p := range params {
		if !seen[p.Key] {
			seen[p.Key] = true
			names = append(names, p.Key)
		}
	}
	return names
}

// variables needs the environment only for lists of structs, whose length is
// told by the variables that are set.
func variables(v any, environ map[string]string) ([]caarlos.FieldParams, error) {
	scratch, err := scratch(v)
	if err != nil {
		return nil, err
	}
	if environ == nil {
		environ = map[string]string{}
	}
	return caarlos.GetFieldParamsWithOptions(scratch, caarlos.Options{Environment: environ})
}

// scratch returns a pointer to a copy of the struct, because the library
// writes even when it is only asked for names.
func scratch(v any) (any, error) {
	from := reflect.ValueOf(v)
	if from.Kind() == reflect.Pointer {
		from = from.Elem()
	}
	if from.Kind() != reflect.Struct {
		return nil, errors.New("env: want a struct or a pointer to one")
	}
	to := reflect.New(from.Type())
	to.Elem().Set(from)
	return to.Interface(), nil
}

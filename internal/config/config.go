// Package config gives command line flags their values from the settings file
// and from the environment. It knows no setting: the flags are the settings.
//
// A setting has one name, spelled in three ways, and the first that gives it a
// value wins:
//
//	--video-listen=:8001     on the command line
//	STOA_VIDEO_LISTEN=:8001  in the environment; empty is not set
//	video_listen: ":8001"    in stoa.yaml
//
// Another file is named by --config or STOA_CONFIG, and must then exist. Flags
// that are settings must have no env tag of kong's: it is read before
// resolvers are, so the file would win over the environment. A flag that has the name
// of a setting and means something else says so by the tag setting:"no".
//
// [Resolver] reports values that a flag refuses, [Check] names that nobody
// knows. Each fault is one line that says where it was found.
package config

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"stoa/internal/env"
)

// Resolver serves the flags of kong that the command line leaves open. The
// file may be empty, for that of STOA_CONFIG or else a stoa.yaml in the
// working folder, if there is one.
func Resolver(file string, environ map[string]string) (*Sources, error) {
	doc, err := load(file, environ)
	if err != nil {
		return nil, err
	}
	return &Sources{doc, environ}, nil
}

// Named is the file that --config names on the command line, for the
// BeforeResolve hook of the command line's struct, where its fields are not
// yet filled.
func Named(ctx *kong.Context) string {
	for _, path := range ctx.Path {
		if path.Flag != nil && path.Flag.Name == "config" {
			return fmt.Sprint(ctx.FlagValue(path.Flag))
		}
	}
	return ""
}

// Sources is the file and the environment, a resolver of kong's.
type Sources struct {
	doc     document
	environ map[string]string
}

// Validate has nothing to say: unknown names are the business of [Check],
// which knows the settings of all commands.
func (*Sources) Validate(*kong.Application) error { return nil }

// Resolve tries the value before kong does, whose own message would not say
// where it came from.
func (r *Sources) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	switch flag.Name {
	case "help", "config", "version":
		return nil, nil
	}
	if flag.Tag.Get("setting") == "no" {
		return nil, nil
	}
	key := keyOf(flag.Name)
	name := variableOf(key)
	if value := r.environ[name]; value != "" {
		if err := try(flag, value); err != nil {
			return nil, env.Fault(name, value, err)
		}
		return value, nil
	}
	given := r.doc.settings[key]
	if given.value == "" {
		return nil, nil
	}
	if err := try(flag, given.value); err != nil {
		return nil, r.doc.fault(given.line, given.column, "%w", env.Fault(key, given.value, err))
	}
	return given.value, nil
}

func try(flag *kong.Flag, value string) error {
	target := reflect.New(flag.Target.Type()).Elem()
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
	case reflect.Map:
		target.Set(reflect.MakeMap(target.Type()))
	}
	scan := kong.Scan().PushTyped(value, kong.FlagValueToken)
	if err := flag.Mapper.Decode(&kong.DecodeContext{Value: flag.Value, Scan: scan}, target); err != nil {
		return err
	}
	if v, ok := target.Addr().Interface().(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return err
		}
	}
	if flag.Enum != "" {
		return tryEnum(flag, target)
	}
	return nil
}

func tryEnum(flag *kong.Flag, target reflect.Value) error {
	switch target.Kind() {
	case reflect.Pointer:
		return tryEnum(flag, target.Elem())
	case reflect.Slice, reflect.Array:
		var fault error
		for i := range target.Len() {
			fault = cmp.Or(fault, tryEnum(flag, target.Index(i)))
		}
		return fault
	}
	if !flag.EnumMap()[fmt.Sprint(target)] {
		return fmt.Errorf("want one of %s", strings.Join(flag.EnumSlice(), ", "))
	}
	return nil
}

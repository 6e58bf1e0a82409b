package env

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	caarlos "github.com/caarlos0/env/v11"
)

// A want says what would have been allowed. It never holds the value given, so
// it may be shown for secrets too.
type want string

func (w want) Error() string { return "want " + string(w) }

// readers has a reader for each type of value found in the struct that t is or
// points to: the library's own know decimals only and keep the blanks of lists.
func readers(t reflect.Type) map[reflect.Type]caarlos.ParserFunc {
	found := map[reflect.Type]caarlos.ParserFunc{}
	visited := map[reflect.Type]bool{}
	var visit func(reflect.Type)
	visit = func(t reflect.Type) {
		if visited[t] {
			return
		}
		visited[t] = true
		switch {
		case readable(t):
			found[t] = func(text string) (any, error) {
				value, err := read(t, text)
				return value.Interface(), err
			}
		case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice:
			visit(t.Elem())
		case t.Kind() == reflect.Struct:
			for f := range t.Fields() {
				if f.IsExported() {
					visit(f.Type)
				}
			}
		}
	}
	visit(t)
	return found
}

func readable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return single(t.Elem())
	case reflect.Map:
		return single(t.Key()) && single(t.Elem())
	default:
		return single(t)
	}
}

func single(t reflect.Type) bool {
	k := t.Kind()
	return reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) ||
		k == reflect.Bool || k == reflect.String || isNumber(k)
}

func isNumber(k reflect.Kind) bool {
	return k >= reflect.Int && k <= reflect.Float64 && k != reflect.Uintptr
}

func read(t reflect.Type, text string) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	if u, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return v, u.UnmarshalText([]byte(text))
	}
	switch k := t.Kind(); {
	case t == reflect.TypeFor[time.Duration]():
		d, err := time.ParseDuration(text)
		if err != nil {
			return v, want("a duration with a unit, such as 150ms, 10s or 2h")
		}
		v.SetInt(int64(d))
	case k == reflect.String:
		v.SetString(text)
	case k == reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return v, want("true or false")
		}
		v.SetBool(b)
	case k == reflect.Slice:
		return v, readList(v, text)
	case k == reflect.Map:
		return v, readMap(v, text)
	default:
		return v, readNumber(v, text)
	}
	return v, nil
}

func readNumber(v reflect.Value, text string) error {
	bits := v.Type().Bits()
	switch {
	case v.CanInt():
		i, err := strconv.ParseInt(text, 0, bits)
		if errors.Is(err, strconv.ErrRange) {
			least := int64(math.MinInt64) >> (64 - bits)
			return want(fmt.Sprintf("a whole number from %d to %d", least, ^least))
		}
		if err != nil {
			return want("a whole number")
		}
		v.SetInt(i)
	case v.CanUint():
		u, err := strconv.ParseUint(text, 0, bits)
		if errors.Is(err, strconv.ErrRange) {
			return want(fmt.Sprintf("a whole number from 0 to %d", uint64(math.MaxUint64)>>(64-bits)))
		}
		if err != nil {
			return want("a whole number, 0 or more")
		}
		v.SetUint(u)
	default:
		f, err := strconv.ParseFloat(text, bits)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return want("a number")
		}
		v.SetFloat(f)
	}
	return nil
}

func readList(v reflect.Value, text string) error {
	for _, item := range items(text) {
		value, err := read(v.Type().Elem(), item)
		if w, ok := errors.AsType[want](err); ok {
			return want("a list separated by commas, each item " + string(w))
		}
		if err != nil {
			return err
		}
		v.Set(reflect.Append(v, value))
	}
	return nil
}

// readMap takes <k:v> for k:v: the brackets are notation in the manual of the
// service whose variables we read, and are copied from there.
func readMap(v reflect.Value, text string) error {
	v.Set(reflect.MakeMap(v.Type()))
	for _, item := range items(text) {
		pair := strings.Split(strings.TrimSuffix(strings.TrimPrefix(item, "<"), ">"), ":")
		if len(pair) != 2 {
			return want("pairs k:v separated by commas, with one colon in each")
		}
		key, err := read(v.Type().Key(), strings.TrimSpace(pair[0]))
		if err != nil {
			return err
		}
		value, err := read(v.Type().Elem(), strings.TrimSpace(pair[1]))
		if err != nil {
			return err
		}
		v.SetMapIndex(key, value)
	}
	return nil
}

// items drops empty items, so a comma at the end does no harm.
func items(text string) []string {
	var all []string
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			all = append(all, item)
		}
	}
	return all
}

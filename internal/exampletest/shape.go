package exampletest

import (
	"maps"
	"slices"
)

// difference is a member that only one of two answers has.
type difference struct{ place, what string }

func (d difference) String() string { return d.place + " is " + d.what }

// differences is how the shape of an answer is unlike the one that is shown: objects
// must have the same members. What is null or empty in one of them may have any shape.
func differences(place string, shown, got any) []difference {
	switch shown := shown.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			return nil
		}
		return memberDifferences(place, shown, got)
	case []any:
		got, ok := got.([]any)
		if !ok || len(shown) == 0 || len(got) == 0 {
			return nil
		}
		return differences(place+"[0]", shown[0], got[0])
	}
	return nil
}

func memberDifferences(place string, shown, got map[string]any) []difference {
	var all []difference
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		value, has := got[name]
		if !has {
			all = append(all, difference{place + "." + name, "shown, and not answered"})
			continue
		}
		all = append(all, differences(place+"."+name, shown[name], value)...)
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, has := shown[name]; !has {
			all = append(all, difference{place + "." + name, "answered, and not shown"})
		}
	}
	return all
}

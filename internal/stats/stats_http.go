package stats

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// Handler shows every counter and gauge with its present value: lines
// "name: value" in name order, or with ?format=json one object.
func Handler(r *Registry) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Query().Get("format") == "json" {
			w.Header().Set("Content-Type", "application/json")
			json.NewEncoder(w).Encode(object(r.readings()))
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for _, line := range r.readings() {
			fmt.Fprintf(w, "%s: %s\n", line.name, line.value)
		}
	})
}

type reading struct {
	name  string
	value json.Number
}

func (r *Registry) readings() []reading {
	snapshot := r.Snapshot()
	all := make([]reading, 0, len(snapshot.Counters)+len(snapshot.Gauges))
	for _, c := range snapshot.Counters {
		all = append(all, reading{c.id.Plain(), json.Number(strconv.FormatUint(c.Total(), 10))})
	}
	for _, g := range snapshot.Gauges {
		all = append(all, reading{g.id.Plain(), json.Number(strconv.FormatInt(g.Value(), 10))})
	}
	slices.SortFunc(all, func(a, b reading) int { return cmp.Compare(a.name, b.name) })
	return all
}

func object(all []reading) map[string]json.Number {
	o := make(map[string]json.Number, len(all))
	for _, r := range all {
		o[r.name] = r.value
	}
	return o
}

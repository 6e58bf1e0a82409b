//go:build oracle

package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// The words of rules and requests, few enough to meet each other.
var (
	keys     = []string{"a", "b", "c"}
	values   = []string{"", "", "x", "y", "x1", "/p", "10.0.0.1", "x:y|z", "x*", "x1*", "*", "/p*"}
	asked    = []string{"", "x", "y", "x1", "x2", "xy", "x21", "/p", "/p/q", "10.0.0.1", "x:y|z", "X", "zzy", "é y", "x*"}
	units    = []string{"second", "minute", "hour", "day", "week", "month", "year", "MINUTE", "Hour"}
	names    = []string{"n1", "n2", "n3"}
	amounts  = []int{0, 1, 2, 3, 5, 10, 50, 4294967294}
	addends  = []uint64{0, 1, 1, 2, 3, 7, 100}
	domains  = []string{"one", "two"}
	strayers = []string{"one", "two", "one", "two", "one", "two", "three", "o:1.2.3.4|x", ""}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// rules is a tree per domain.
type rules struct{ domains []*node }

type node struct {
	key, value string
	lines      []string // of YAML, besides key, value and children
	children   []*node
}

func newRules(r *rand.Rand) *rules {
	set := new(rules)
	for _, name := range domains {
		set.domains = append(set.domains, &node{key: name, children: newLevel(r, 3)})
	}
	return set
}

func newLevel(r *rand.Rand, depth int) []*node {
	if depth == 0 {
		return nil
	}
	var level []*node
	seen := map[[2]string]bool{}
	for range 2 + r.IntN(6) {
		n := &node{key: pick(r, keys), value: pick(r, values)}
		if seen[[2]string{n.key, n.value}] {
			continue
		}
		seen[[2]string{n.key, n.value}] = true
		n.flags(r)
		if chance(r, 2) {
			n.children = newLevel(r, depth-1)
		}
		level = append(level, n)
	}
	return level
}

func (n *node) flags(r *rand.Rand) {
	add := func(format string, args ...any) { n.lines = append(n.lines, fmt.Sprintf(format, args...)) }
	limited := !chance(r, 5)
	if limited {
		limit := fmt.Sprintf("unit: %s, requests_per_unit: %d", pick(r, units), pick(r, amounts))
		unlimited := chance(r, 6)
		if unlimited {
			limit = "unlimited: true"
		}
		name := ""
		if chance(r, 3) && !unlimited {
			name = pick(r, names)
			limit += ", name: " + name
		}
		if other := pick(r, names); chance(r, 4) && other != name {
			limit += ", replaces: [{name: " + other + "}]"
		}
		add("rate_limit: {%s}", limit)
	}
	if chance(r, 5) {
		add("shadow_mode: true")
	}
	if chance(r, 6) {
		add("detailed_metric: true")
	}
	if chance(r, 6) {
		add("value_to_metric: true")
	}
	if strings.Contains(n.value, "*") && chance(r, 2) {
		add("share_threshold: true")
	}
}

// have tells whether some node has that key and value.
func (s *rules) have(key, value string) bool {
	var within func([]*node) bool
	within = func(level []*node) bool {
		return slices.ContainsFunc(level, func(n *node) bool { return n.key == key && n.value == value || within(n.children) })
	}
	return within(s.domains)
}

// yaml is both domains in one text, with a mark between the files.
func (s *rules) yaml() string {
	var files []string
	for _, d := range s.domains {
		files = append(files, "domain: "+d.key+"\ndescriptors:\n"+level(d.children, "  "))
	}
	return strings.Join(files, fileMark)
}

const fileMark = "---8<---\n"

func level(nodes []*node, indent string) string {
	var b strings.Builder
	for _, n := range nodes {
		fmt.Fprintf(&b, "%s- key: %s\n", indent, n.key)
		if n.value != "" {
			fmt.Fprintf(&b, "%s  value: %q\n", indent, n.value)
		}
		for _, line := range n.lines {
			fmt.Fprintf(&b, "%s  %s\n", indent, line)
		}
		if len(n.children) > 0 {
			fmt.Fprintf(&b, "%s  descriptors:\n%s", indent, level(n.children, indent+"    "))
		}
	}
	return b.String()
}

func (s *rules) request(r *rand.Rand) *rlsv3.RateLimitRequest {
	request := &rlsv3.RateLimitRequest{Domain: pick(r, strayers)}
	if chance(r, 3) {
		request.HitsAddend = uint32(pick(r, addends))
	}
	count := 1 + r.IntN(4)
	if chance(r, 50) {
		count = 0
	}
	for range count {
		request.Descriptors = append(request.Descriptors, s.descriptor(r, request.Domain))
	}
	return request
}

// descriptor mostly follows a path of the rules.
func (s *rules) descriptor(r *rand.Rand, domain string) *rlcommonv3.RateLimitDescriptor {
	d := new(rlcommonv3.RateLimitDescriptor)
	var at []*node
	for _, n := range s.domains {
		if n.key == domain {
			at = n.children
		}
	}
	for {
		key, value := pick(r, keys), pick(r, asked)
		if len(at) > 0 && !chance(r, 6) {
			n := pick(r, at)
			key = n.key
			if n.value != "" && !strings.Contains(n.value, "*") && !chance(r, 6) {
				value = n.value
			}
			at = n.children
		}
		if chance(r, 300) {
			key += "_x"
		}
		d.Entries = append(d.Entries, &rlcommonv3.RateLimitDescriptor_Entry{Key: key, Value: value})
		if len(at) == 0 && !chance(r, 8) || chance(r, 3) {
			break
		}
	}
	if chance(r, 60) {
		d.Entries = nil
	}
	if chance(r, 8) {
		d.HitsAddend = wrapperspb.UInt64(pick(r, append(addends, 1<<40)))
	}
	if chance(r, 10) {
		d.Limit = &rlcommonv3.RateLimitDescriptor_RateLimitOverride{RequestsPerUnit: uint32(pick(r, amounts)), Unit: typev3.RateLimitUnit(r.IntN(8))}
	}
	d.IsNegativeHits = chance(r, 200)
	return d
}

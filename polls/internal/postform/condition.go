package postform

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// rules are what a policy demands: each condition of its field, and a size.
type rules struct {
	expires    time.Time
	conditions []condition
	min, max   int64 // bytes of the file
}

// condition is on a field, whose name is in lower case.
type condition struct {
	field, value string
	prefix       bool // the field begins with the value, else it is the value
}

func (c condition) holds(fields map[string]string) bool {
	got, ok := fields[c.field]
	if c.prefix {
		return ok && strings.HasPrefix(got, c.value)
	}
	return ok && got == c.value
}

// parsePolicy reads a policy as it is sent. The bounds of this bucket hold even
// if a policy names none.
func parsePolicy(encoded string) (*rules, error) {
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New("it is not base64")
	}
	var p struct {
		Expiration time.Time         `json:"expiration"`
		Conditions []json.RawMessage `json:"conditions"`
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return nil, errors.New("it is not JSON of an expiration time and conditions")
	}
	r := &rules{expires: p.Expiration, min: MinSize, max: MaxSize}
	for _, c := range p.Conditions {
		if err := r.add(c); err != nil {
			return nil, fmt.Errorf("condition %s: %w", c, err)
		}
	}
	return r, nil
}

// add reads {"field": "value"}, ["eq", "$field", "value"],
// ["starts-with", "$field", "value"] or ["content-length-range", 1, 100].
func (r *rules) add(text json.RawMessage) error {
	var same map[string]string
	if json.Unmarshal(text, &same) == nil && len(same) == 1 {
		for field, value := range same {
			r.conditions = append(r.conditions, condition{field: strings.ToLower(field), value: value})
		}
		return nil
	}
	var parts []any
	if json.Unmarshal(text, &parts) != nil || len(parts) != 3 {
		return errors.New("it must have one field, or three parts")
	}
	if parts[0] == "content-length-range" {
		return r.narrow(parts[1], parts[2])
	}
	field, isField := parts[1].(string)
	value, isText := parts[2].(string)
	if parts[0] != "eq" && parts[0] != "starts-with" || !isField || !isText || !strings.HasPrefix(field, "$") {
		return errors.New(`it must be "eq" or "starts-with", a "$field" and a text`)
	}
	r.conditions = append(r.conditions, condition{strings.ToLower(field[1:]), value, parts[0] == "starts-with"})
	return nil
}

func (r *rules) narrow(from, to any) error {
	low, ok1 := from.(float64)
	high, ok2 := to.(float64)
	if !ok1 || !ok2 || low < 0 || low > high || high > math.MaxInt32 {
		return errors.New("a range must have two numbers of bytes, the smaller first")
	}
	r.min, r.max = max(r.min, int64(math.Ceil(low))), min(r.max, int64(high))
	return nil
}

// check tells whether every condition holds, and every field has one.
func (r *rules) check(fields map[string]string) error {
	matched := map[string]bool{accessKeyID: true, "policy": true, "signature": true}
	for _, c := range r.conditions {
		if !c.holds(fields) {
			return Refuse(AccessDenied, "the policy does not allow this value of the field %q: send the form as it was handed out", c.field)
		}
		matched[c.field] = true
	}
	for field := range fields {
		if !matched[field] && !strings.HasPrefix(field, "x-ignore-") {
			return Refuse(AccessDenied, "the policy does not allow the field %q: leave it out", field)
		}
	}
	return nil
}

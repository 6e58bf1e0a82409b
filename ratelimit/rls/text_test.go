package rls_test

import (
	"testing"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"stoa/ratelimit/rls"
)

func TestCompactText(t *testing.T) {
	entry := func(key, value string) proto.Message {
		return &rlcommonv3.RateLimitDescriptor_Entry{Key: key, Value: value}
	}
	for _, test := range []struct {
		name    string
		message proto.Message
		want    string
	}{
		{"empty", &rlsv3.RateLimitResponse{}, ""},
		{"response", &rlsv3.RateLimitResponse{
			OverallCode: rlsv3.RateLimitResponse_OVER_LIMIT,
			Statuses: []*rlsv3.RateLimitResponse_DescriptorStatus{
				{Code: rlsv3.RateLimitResponse_OVER_LIMIT, CurrentLimit: &rlsv3.RateLimitResponse_RateLimit{
					RequestsPerUnit: 2, Unit: rlsv3.RateLimitResponse_RateLimit_HOUR}, DurationUntilReset: durationpb.New(42e9)},
				{Code: rlsv3.RateLimitResponse_OK},
			},
		}, "overall_code:OVER_LIMIT statuses:{code:OVER_LIMIT current_limit:{requests_per_unit:2 unit:HOUR} duration_until_reset:{seconds:42}} statuses:{code:OK}"},
		{"blanks in a text stay", entry("a  b", " c: d "), `key:"a  b" value:" c: d "`},
		{"quotes and backslashes in a text", entry(`say "a  b"`, `\"  \\`), `key:"say \"a  b\"" value:"\\\"  \\\\"`},
		{"single quotes", entry(`it's  so`, `'`), `key:"it's  so" value:"'"`},
		{"line breaks", entry("a\nb", ""), `key:"a\nb"`},
	} {
		if got := rls.CompactText(test.message); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestParseDescriptor(t *testing.T) {
	for _, test := range []struct {
		text string
		want string // "" when it has to fail
	}{
		{"a=b", `entries:{key:"a" value:"b"}`},
		{"a=b,c=d", `entries:{key:"a" value:"b"} entries:{key:"c" value:"d"}`},
		{"a=b=c", `entries:{key:"a" value:"b=c"}`},
		{"a=", `entries:{key:"a"}`},
		{"=", `entries:{}`},
		{"a", ""}, {"a=b,c", ""}, {"", ""}, {"a=b,", ""},
	} {
		got, err := rls.ParseDescriptor(test.text)
		if (err != nil) != (test.want == "") || err == nil && rls.CompactText(got) != test.want {
			t.Errorf("%q: got %v, %v, want %s", test.text, got, err, test.want)
		}
	}
}

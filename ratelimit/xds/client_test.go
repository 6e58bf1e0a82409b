package xds

import (
	"bytes"
	"strings"
	"testing"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/structpb"
)

func TestFirstRequest(t *testing.T) {
	t.Parallel()
	control := listen(t, "127.0.0.1:0")
	cfg := quick(control.addr)
	cfg.NodeID = "node-1"
	cfg.NodeMetadata = NodeMetadata{"zone": "a"}
	cfg.Headers = map[string]string{"Authorization": "Bearer x", "x-tenant": "t1"}
	run(t, cfg)

	got := control.request(t)
	if got.GetTypeUrl() != typeURL || got.GetVersionInfo() != "" || got.GetResponseNonce() != "" || len(got.GetResourceNames()) != 0 {
		t.Errorf("got %v, want the type and neither version, nonce nor names", got)
	}
	if got.GetNode().GetId() != "node-1" || got.GetNode().GetMetadata().GetFields()["zone"].GetStringValue() != "a" {
		t.Errorf("got node %v", got.GetNode())
	}
	headers := <-control.headers
	if headers.Get("authorization")[0] != "Bearer x" || headers.Get("x-tenant")[0] != "t1" {
		t.Errorf("got headers %v", headers)
	}
}

func TestAckAndNack(t *testing.T) {
	t.Parallel()
	control := listen(t, "127.0.0.1:0")
	s := run(t, quick(control.addr))
	control.request(t)

	ack := control.send(t, "v1", "n1", domain(t, "one", rules.RateLimitUnit_HOUR), domain(t, "two", rules.RateLimitUnit_WEEK))
	if ack.GetVersionInfo() != "v1" || ack.GetResponseNonce() != "n1" || ack.GetErrorDetail() != nil {
		t.Errorf("good set: got %v, want an ACK", ack)
	}
	if s.domains() != "one two" {
		t.Errorf("good set: got domains %q", s.domains())
	}
	select {
	case <-s.Loaded():
	default:
		t.Error("Loaded is not closed after the first set")
	}

	nack := control.send(t, "v2", "n2", domain(t, "three", rules.RateLimitUnit_HOUR), domain(t, "bad", rules.RateLimitUnit_UNKNOWN))
	message := nack.GetErrorDetail().GetMessage()
	if nack.GetVersionInfo() != "v1" || nack.GetResponseNonce() != "n2" ||
		!strings.HasPrefix(message, "name of bad: ") || !strings.Contains(message, "invalid rate limit unit 'UNKNOWN'") {
		t.Errorf("bad set: got %v, want a NACK with the old version and the fault", nack)
	}
	if s.domains() != "one two" || s.counts() != [2]uint64{1, 1} {
		t.Errorf("bad set: got domains %q, counts %v", s.domains(), s.counts())
	}

	ack = control.send(t, "v3", "n3")
	if ack.GetVersionInfo() != "v3" || ack.GetErrorDetail() != nil || s.domains() != "" {
		t.Errorf("empty set: got %v and domains %q, want an ACK and none", ack, s.domains())
	}
}

func TestUndecodableIsRefusedUncounted(t *testing.T) {
	t.Parallel()
	broken := &anypb.Any{TypeUrl: typeURL, Value: []byte{0xff}}
	for name, test := range map[string]struct {
		response *discovery.DiscoveryResponse
		want     string
	}{
		"broken":         {&discovery.DiscoveryResponse{TypeUrl: typeURL, Resources: []*anypb.Any{broken}}, "resource 1: "},
		"other type":     {&discovery.DiscoveryResponse{TypeUrl: "type.googleapis.com/x.Y"}, `of type "type.googleapis.com/x.Y"`},
		"other resource": {&discovery.DiscoveryResponse{TypeUrl: typeURL, Resources: []*anypb.Any{pack(t, &structpb.Struct{})}}, "resource 1: "},
		"too deep":       {&discovery.DiscoveryResponse{TypeUrl: typeURL, Resources: []*anypb.Any{nested(t, 600)}}, "resource 1: "},
	} {
		t.Run(name, func(t *testing.T) {
			control := listen(t, "127.0.0.1:0")
			s := run(t, quick(control.addr))
			control.request(t)
			test.response.Nonce = "n1"
			control.responses <- test.response
			nack := control.request(t)
			if nack.GetResponseNonce() != "n1" || nack.GetVersionInfo() != "" || !strings.Contains(nack.GetErrorDetail().GetMessage(), test.want) {
				t.Errorf("got %v, want a NACK with %q", nack, test.want)
			}
			if s.counts() != [2]uint64{} || s.domains() != "none" {
				t.Errorf("got counts %v and domains %s, want nothing counted or loaded", s.counts(), s.domains())
			}
			<-s.Loaded()
		})
	}
}

func nested(t *testing.T, depth int) *anypb.Any {
	var list []*rules.RateLimitDescriptor
	for range depth {
		list = []*rules.RateLimitDescriptor{{Key: "k", Descriptors: list}}
	}
	return pack(t, &rules.RateLimitConfig{Name: "deep", Domain: "d", Descriptors: list})
}

// The server comes late, goes and comes back; rules stay meanwhile.
func TestReconnect(t *testing.T) {
	t.Parallel()
	first := listen(t, "127.0.0.1:0")
	first.grpc.Stop()
	s := run(t, quick(first.addr))
	for end := time.Now().Add(5 * time.Second); len(s.log.with("WARN", "connection refused")) == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("not in time: a warning")
		}
	}

	second := listen(t, first.addr)
	second.request(t)
	second.send(t, "7", "n7", domain(t, "one", rules.RateLimitUnit_DAY))
	second.grpc.Stop()
	if s.domains() != "one" {
		t.Errorf("server away: got domains %q", s.domains())
	}

	third := listen(t, first.addr)
	if r := third.request(t); r.GetVersionInfo() != "" || r.GetResponseNonce() != "" || r.GetNode().GetId() != "default" {
		t.Errorf("first request after a reconnect: got %v, want a fresh start", r)
	}
	if nack := third.send(t, "1", "n1", domain(t, "", rules.RateLimitUnit_DAY)); nack.GetVersionInfo() != "7" {
		t.Errorf("got %v, want a NACK with the version in force", nack)
	}
	third.send(t, "2", "n2", domain(t, "two", rules.RateLimitUnit_DAY))
	if s.domains() != "two" {
		t.Errorf("got domains %q", s.domains())
	}
	if got := s.log.with("WARN", "connection refused"); len(got) > 2 {
		t.Errorf("got %d warnings, want one for each loss:\n%s", len(got), strings.Join(got, ""))
	}
}

func TestMessageSize(t *testing.T) {
	t.Parallel()
	control := listen(t, "127.0.0.1:0")
	cfg := quick(control.addr)
	cfg.MaxMessage = 1000
	s := run(t, cfg)
	control.request(t)
	large := domain(t, strings.Repeat("x", 2000), rules.RateLimitUnit_DAY)
	fresh := control.send(t, "v1", "n1", large)
	if fresh.GetResponseNonce() != "" || fresh.GetErrorDetail() != nil || s.domains() != "none" {
		t.Errorf("got %v, want a new stream", fresh)
	}
	if len(s.log.with("XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES")) == 0 {
		t.Error("the log does not say which setting is too small")
	}
	if ack := control.send(t, "v2", "n2", domain(t, "small", rules.RateLimitUnit_DAY)); ack.GetVersionInfo() != "v2" {
		t.Errorf("got %v, want an ACK", ack)
	}

	wide := listen(t, "127.0.0.1:0")
	cfg = quick(wide.addr)
	cfg.MaxMessage = 8 << 20
	run(t, cfg)
	wide.request(t)
	large = pack(t, &rules.RateLimitConfig{Name: strings.Repeat("x", 5<<20), Domain: "d"})
	if ack := wide.send(t, "v1", "n1", large); ack.GetVersionInfo() != "v1" {
		t.Error("5 MiB of 8 allowed: got no ACK")
	}
}

// A refusal tells the first faults of very many, and is still text.
func TestLongReason(t *testing.T) {
	t.Parallel()
	var resources []*anypb.Any
	for range 1000 {
		resources = append(resources, pack(t, &rules.RateLimitConfig{Name: "nömen"}))
	}
	s := newService(t, Config{})
	nack := s.answer(&discovery.DiscoveryResponse{Nonce: "n", Resources: resources})
	if _, err := proto.Marshal(nack); err != nil {
		t.Errorf("got %v", err)
	}
	message := []byte(nack.GetErrorDetail().GetMessage())
	if len(message) > longestReason+3 || !bytes.HasPrefix(message, []byte("nömen: ")) {
		t.Errorf("got %d bytes: %.50s", len(message), message)
	}
}

package xds

import (
	"strings"

	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/types/known/structpb"
)

// typeURL is what a set of rules consists of.
const typeURL = "type.googleapis.com/ratelimit.config.ratelimit.v3.RateLimitConfig"

// longestReason bounds a refusal, in bytes: of ten thousand faults the first
// tell enough.
const longestReason = 4096

// request is the first request, an ACK, or without its error a NACK.
func (c *Client) request(version, nonce string) *discovery.DiscoveryRequest {
	return &discovery.DiscoveryRequest{
		Node: c.cfg.node(), TypeUrl: typeURL, VersionInfo: version, ResponseNonce: nonce,
	}
}

func (c Config) node() *core.Node {
	node := &core.Node{Id: c.NodeID}
	if len(c.NodeMetadata) > 0 {
		node.Metadata = &structpb.Struct{Fields: make(map[string]*structpb.Value)}
	}
	for key, value := range c.NodeMetadata {
		node.Metadata.Fields[key] = structpb.NewStringValue(value)
	}
	return node
}

// answer loads a set and says what came of it.
func (c *Client) answer(r *discovery.DiscoveryResponse) *discovery.DiscoveryRequest {
	specs, err := decode(r)
	if err != nil {
		c.Log.Error("Error loading new configuration: " + err.Error())
	} else {
		err = c.Load(specs, nil)
	}
	c.loadedOnce.Do(func() { close(c.loaded) })
	if err != nil {
		c.rejected.Add(1)
		nack := c.request(c.version, r.GetNonce())
		nack.ErrorDetail = &status.Status{Code: int32(codes.InvalidArgument), Message: reason(err)}
		return nack
	}
	c.version, c.trouble = r.GetVersionInfo(), ""
	c.backoff.reset()
	return c.request(c.version, r.GetNonce())
}

func reason(err error) string {
	text := err.Error()
	if len(text) > longestReason {
		text = text[:longestReason] + "…"
	}
	return strings.ToValidUTF8(text, "") // the cut may be within a letter
}

package xds
import ("testing";"strings";"time";rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"; discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"; "google.golang.org/protobuf/types/known/anypb")
func TestSlow(t *testing.T){ s:=newService(t, Config{}); st:=time.Now(); r := domain(t, strings.Repeat("x",3<<20), rules.RateLimitUnit_DAY); s.answer(&discovery.DiscoveryResponse{Resources: []*anypb.Any{r}}); t.Log(time.Since(st)) }

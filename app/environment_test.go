package app_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/app"
)

func TestSlowImportsLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	const imports = 10
	asked := make(chan struct{}, imports)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)

	settings := videoSettings(t.TempDir())
	settings.EgressAllow = []app.Network{{Prefix: netip.MustParsePrefix("127.0.0.2/32")}}
	j := newJourney(t, settings, nil, "")
	for range imports {
		creation := *apivideo.NewVideoCreationPayload("slow")
		creation.SetSource(server.URL)
		if _, err := j.client.Videos.Create(creation); err != nil {
			t.Fatal(err)
		}
	}
	limit := time.After(15 * time.Second)
	for begun := range imports {
		select {
		case <-asked:
		case <-limit:
			t.Fatalf("got %d imports begun, want all %d beside each other", begun, imports)
		}
	}
}

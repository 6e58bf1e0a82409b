package rls_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"stoa/ratelimit/rls"
)

func debugServer(t *testing.T, readTimeout time.Duration) *httptest.Server {
	t.Helper()
	service := newService(t, rls.Config{}, "domain: shop\n")
	mux := http.NewServeMux()
	for _, r := range service.DebugRoutes() {
		mux.HandleFunc(r.Path, r.Serve)
	}
	server := httptest.NewUnstartedServer(mux)
	server.Config.ReadTimeout = readTimeout
	server.Start()
	t.Cleanup(server.Close)
	return server
}

// A server that gives up slow senders must not give up those who listen.
func TestLongAnswersOutliveTheReadTimeout(t *testing.T) {
	t.Parallel()
	server := debugServer(t, 300*time.Millisecond)
	response, err := server.Client().Get(server.URL + "/live/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	moments := 0
	for scanner := bufio.NewScanner(response.Body); moments < 2 && scanner.Scan(); {
		if strings.HasPrefix(scanner.Text(), "data: ") {
			moments++
		}
	}
	if moments != 2 {
		t.Errorf("got %d moments, want that the stream goes on", moments)
	}
}

func TestViewersAreBounded(t *testing.T) {
	t.Parallel()
	server := debugServer(t, 0)
	refused := false
	for range 101 {
		response, err := server.Client().Get(server.URL + "/live/events")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { response.Body.Close() })
		refused = response.StatusCode == http.StatusServiceUnavailable
	}
	if !refused {
		t.Error("the 101st viewer is let in, want 503")
	}
}

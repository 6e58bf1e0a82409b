package s3test_test

import (
	"net/http"
	"net/url"
	"testing"

	"stoa/internal/blob/s3/s3test"
)

func TestServerComesBackAtItsAddress(t *testing.T) {
	s := s3test.Start(t)
	address, err := url.Parse(s.URL("a/b"))
	if err != nil || address.Host != s3test.Bucket || address.Path != "/a/b" {
		t.Fatalf("got %v, %v want the bucket and its prefix", address, err)
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(address.Query().Get("endpoint") + "/health")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("got %s want 200", answer.Status)
	}
}

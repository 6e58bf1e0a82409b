package s3_test

import (
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/blobtest"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
)

func TestStore(t *testing.T) {
	server := s3test.Start(t)
	blobtest.Run(t, func(t *testing.T) blob.Store { return openStore(t, server.URL("some/prefix")) })
}

func openStore(t *testing.T, address string) *s3.Store {
	t.Helper()
	config, err := s3.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	config.AccessKey, config.SecretKey = s3test.AccessKey, s3test.SecretKey
	s, err := s3.New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

package xds

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/env"
)

func TestConfigFromEnvironment(t *testing.T) {
	var got Config
	err := env.Parse(&got, map[string]string{
		"CONFIG_GRPC_XDS_NODE_METADATA":             "a=1, b=x=y,",
		"CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS": "<k1:v1>,k2:v2",
		"XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES":          "0x100",
	})
	want := Config{
		NodeID: "default", NodeMetadata: NodeMetadata{"a": "1", "b": "x=y"}, ServerURL: "localhost:18000",
		Headers:      map[string]string{"k1": "v1", "k2": "v2"},
		ConnectRetry: 3 * time.Second, BackoffInitial: 10 * time.Second, BackoffMax: time.Minute,
		BackoffFactor: 0.5, BackoffJitter: true, MaxMessage: 256,
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("got %v, want -, got +\n%s", err, diff)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("got %v", err)
	}
	if err := env.Parse(&got, map[string]string{"CONFIG_GRPC_XDS_NODE_METADATA": "a:1"}); err == nil {
		t.Error("metadata without an equals sign: got no error")
	}
}

func TestConfigFaults(t *testing.T) {
	err := Config{
		ServerURL: "https://x:1", ConnectRetry: -1, BackoffInitial: -1, BackoffMax: -1, BackoffFactor: 2, MaxMessage: -1,
		Headers: map[string]string{"a b": "1", "grpc-x": "2", "ok": "3", "secret": "s3cr3t\n"},
		TLS:     true, ClientCert: "/none/cert", ClientKey: "/none/key", CACert: "/none/ca",
	}.Validate()
	if err == nil {
		t.Fatal("got no error")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 12 || strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("got %d lines, want 12 without the secret:\n%v", len(lines), err)
	}
}

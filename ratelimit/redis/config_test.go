package redis_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/internal/env"
	"stoa/ratelimit/redis"
)

func TestVariables(t *testing.T) {
	var want []string
	for name := range strings.FieldsSeq(`SOCKET_TYPE URL TYPE POOL_SIZE AUTH SENTINEL_AUTH TLS PIPELINE_WINDOW PIPELINE_LIMIT
		CLUSTER_PIPELINE_PARALLELISM TIMEOUT POOL_ON_EMPTY_BEHAVIOR`) {
		want = append(want, "REDIS_"+name, "REDIS_PERSECOND_"+name)
	}
	for name := range strings.FieldsSeq(`TLS_CLIENT_CERT TLS_CLIENT_KEY TLS_CACERT TLS_SKIP_HOSTNAME_VERIFICATION PERSECOND
		HEALTH_CHECK_ACTIVE_CONNECTION STARTUP_INITIAL_INTERVAL STARTUP_MAX_INTERVAL STARTUP_MAX_ELAPSED_TIME`) {
		want = append(want, "REDIS_"+name)
	}
	got := env.Names(redis.Config{})
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestDefaults(t *testing.T) {
	var cfg redis.Config
	if err := env.Parse(&cfg, map[string]string{"REDIS_PERSECOND_TIMEOUT": "2s", "REDIS_TYPE": "cluster"}); err != nil {
		t.Fatal(err)
	}
	if n := cfg.Main; n.PoolSize != 10 || n.Timeout != 10*time.Second || n.SocketType != "unix" || n.Type != "cluster" || n.OnEmpty != "WAIT" || n.ClusterParallelism != 1 {
		t.Errorf("got %+v", n)
	}
	if cfg.PerSecondNode.Timeout != 2*time.Second || cfg.PerSecondNode.Type != "SINGLE" {
		t.Errorf("got %+v", cfg.PerSecondNode)
	}
	if cfg.StartupInitial != time.Second || cfg.StartupMax != 30*time.Second || cfg.StartupMaxElapsed != 0 {
		t.Errorf("got %+v", cfg)
	}
	if err := (redis.Config{}).Validate(); err != nil {
		t.Errorf("got %v want defaults that are valid", err)
	}
}

func TestValidateTellsEverything(t *testing.T) {
	here := filepath.Join(t.TempDir(), "none.pem")
	tests := []struct {
		name string
		cfg  redis.Config
		want []string // the lines, by what they contain
	}{
		{"type", redis.Config{Main: redis.Node{Type: "ring"}}, []string{`REDIS_TYPE="RING": want SINGLE, SENTINEL or CLUSTER`}},
		{"socket type", redis.Config{Main: redis.Node{SocketType: "udp", URL: "a:1"}}, []string{`REDIS_SOCKET_TYPE="udp"`}},
		{"on empty", redis.Config{Main: redis.Node{OnEmpty: "create"}}, []string{`REDIS_POOL_ON_EMPTY_BEHAVIOR="CREATE": want WAIT`}},
		{"sentinel without sentinels", redis.Config{Main: redis.Node{Type: "sentinel", URL: "mymaster"}}, []string{`REDIS_URL="mymaster": want the master's name`}},
		{"parallelism", redis.Config{Main: redis.Node{ClusterParallelism: -1}}, []string{`REDIS_CLUSTER_PIPELINE_PARALLELISM="-1": want 0 or more`}},
		{"no port", redis.Config{Main: redis.Node{SocketType: "tcp", URL: "redis"}}, []string{`REDIS_URL="redis": want host:port`}},
		{"files", redis.Config{Main: redis.Node{TLS: true}, CACert: here}, []string{"REDIS_TLS_CACERT=", "want a file that exists"}},
		{"files without TLS", redis.Config{CACert: here}, nil},
		{"per second off", redis.Config{PerSecondNode: redis.Node{Type: "ring"}}, nil},
		{"several", redis.Config{PerSecond: true, PerSecondNode: redis.Node{Type: "ring", Timeout: -1, PoolSize: -1}},
			[]string{"REDIS_PERSECOND_TYPE", "REDIS_PERSECOND_TIMEOUT", "REDIS_PERSECOND_POOL_SIZE"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := test.cfg.Validate()
			if (err == nil) != (test.want == nil) {
				t.Fatalf("got %v want %v", err, test.want)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %v want %q in it", err, want)
				}
			}
		})
	}
}

func TestValidateShowsNoCredentials(t *testing.T) {
	for _, url := range []string{
		"redis://ann:s3cret@host:port:9", "ann:s3cret@host:6379", "redis://host:1?username=ann&password=s3cret&db=x",
		"http://ann:s3cret@host", "redis://ann:s3c@s3cret@host:6379/db",
	} {
		err := redis.Config{Main: redis.Node{SocketType: "tcp", URL: url, Auth: "s3cret"}}.Validate()
		if err == nil || strings.Contains(err.Error(), "s3c") {
			t.Errorf("%s: got %v want an error without the password", url, err)
		}
	}
}

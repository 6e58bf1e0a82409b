package app_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stoa/app"
)

func TestBackendFollowsTheEnvironment(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		set  environ
		want string // "" when the start has to fail
	}{
		{"nothing", nil, "memory"},
		{"named redis", environ{"BACKEND_TYPE": "redis"}, "redis"},
		{"named in another case", environ{"BACKEND_TYPE": "ReDiS"}, "redis"},
		{"named memcache", environ{"BACKEND_TYPE": "MemCache", "MEMCACHE_HOST_PORT": "h:1"}, "memcache"},
		{"named memcache without hosts", environ{"BACKEND_TYPE": "memcache"}, ""},
		{"named memcache with both kinds of hosts", environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": "h:1", "MEMCACHE_SRV": "_m._tcp.x"}, ""},
		{"named memory", environ{"BACKEND_TYPE": "memory"}, "memory"},
		{"named memory looks at no other variable", environ{"BACKEND_TYPE": "memory", "REDIS_POOL_SIZE": "x", "MEMCACHE_TLS": "x"}, "memory"},
		{"named otherwise", environ{"BACKEND_TYPE": "etcd"}, ""},
		{"named memcache beside redis variables", environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": "h:1", "REDIS_URL": "h:2"}, "memcache"},
		{"redis address", environ{"REDIS_URL": "h:1", "REDIS_SOCKET_TYPE": "tcp"}, "redis"},
		{"redis pool size", environ{"REDIS_POOL_SIZE": "5"}, "redis"},
		{"redis per second", environ{"REDIS_PERSECOND": "false"}, "redis"},
		{"redis authority", environ{"REDIS_TLS_CACERT": "x"}, "redis"},
		{"redis health check", environ{"REDIS_HEALTH_CHECK_ACTIVE_CONNECTION": "true"}, "redis"},
		{"redis start", environ{"REDIS_STARTUP_MAX_INTERVAL": "1s"}, "redis"},
		{"empty redis variable", environ{"REDIS_URL": ""}, "memory"},
		{"redis wins over memcache", environ{"REDIS_POOL_SIZE": "5", "MEMCACHE_HOST_PORT": "h:1"}, "redis"},
		{"what Kubernetes makes of a service", environ{
			"REDIS_PORT": "tcp://10.0.0.1:6379", "REDIS_SERVICE_HOST": "10.0.0.1", "REDIS_SERVICE_PORT": "6379", "REDIS_PORT_6379_TCP": "tcp://10.0.0.1:6379",
			"MEMCACHE_SERVICE_HOST": "10.0.0.2", "MEMCACHE_PORT": "tcp://10.0.0.2:11211"}, "memory"},
		{"older names", environ{"REDIS_POOL_ON_EMPTY_WAIT_DURATION": "1s", "REDIS_PERSECOND_POOL_ON_EMPTY_WAIT_DURATION": "1s"}, "memory"},
		{"memcache hosts", environ{"MEMCACHE_HOST_PORT": "h:1,i:2"}, "memcache"},
		{"memcache service", environ{"MEMCACHE_SRV": "_m._tcp.x"}, "memcache"},
		{"another memcache variable alone", environ{"MEMCACHE_MAX_IDLE_CONNS": "5"}, "memory"},
	} {
		cfg, err := app.ReadConfig(app.Settings{}, test.set)
		got := cfg.Ratelimit.Backend
		if err != nil {
			got.Name = ""
		}
		if got.Name != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, got.Name, err, test.want)
		}
		if got.Name != "" && got.Reason == "" {
			t.Errorf("%s: got no reason", test.name)
		}
	}
}

func TestStartTellsTheBackend(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		set  environ
		want []string
	}{
		"memory":   {nil, []string{"memory", "not shared"}},
		"memcache": {environ{"MEMCACHE_HOST_PORT": "127.0.0.1:1"}, []string{"memcache", "MEMCACHE_HOST_PORT"}},
		"redis":    {environ{"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "127.0.0.1:1"}, []string{"redis", "REDIS_"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := launch(t, shopRules, test.set)
			p.address("http")
			lines := slices.Collect(strings.Lines(p.log.String()))
			if !slices.ContainsFunc(lines, func(line string) bool {
				return strings.Contains(line, "level=warning") && !slices.ContainsFunc(test.want, func(w string) bool { return !strings.Contains(line, w) })
			}) {
				t.Errorf("no warning has all of %q", test.want)
			}
		})
	}
}

func TestMalformedVariableIsNamed(t *testing.T) {
	t.Parallel()
	notThere := filepath.Join(t.TempDir(), "not-there")
	redis := environ{"BACKEND_TYPE": "redis", "REDIS_URL": "h:1", "REDIS_SOCKET_TYPE": "tcp"}
	memcache := environ{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": "h:1"}
	xds := environ{"CONFIG_TYPE": "GRPC_XDS_SOTW"}
	dog := environ{
		"USE_STATSD": "false", "USE_DOG_STATSD": "true", "USE_DOG_STATSD_MOGRIFIERS": "X",
		"DOG_STATSD_MOGRIFIER_X_PATTERN": "a", "DOG_STATSD_MOGRIFIER_X_NAME": "b",
	}
	prometheus := environ{"USE_STATSD": "false", "USE_PROMETHEUS": "true"}
	for _, test := range []struct {
		beside      environ
		name, value string
	}{
		{nil, "PORT", "http"}, {nil, "PORT", "65536"}, {nil, "PORT", "-1"}, {nil, "GRPC_PORT", "8081.5"}, {nil, "DEBUG_PORT", " "},
		{nil, "GRPC_MAX_CONNECTION_AGE", "24"}, {nil, "GRPC_MAX_CONNECTION_AGE", "-1s"}, {nil, "GRPC_MAX_CONNECTION_AGE_GRACE", "1 hour"},
		{nil, "GRPC_SERVER_USE_TLS", "yes"},
		{nil, "LOG_LEVEL", "loud"},
		{nil, "CONFIG_TYPE", "ETCD"}, {nil, "FORCE_START_WITHOUT_INITIAL_CONFIG", "on"}, {nil, "MERGE_DOMAIN_CONFIG", "2"},
		{nil, "RUNTIME_IGNOREDOTFILES", "yes"}, {nil, "RUNTIME_WATCH_ROOT", "no"},
		{xds, "CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL", "3"}, {xds, "CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS", "a"},
		{xds, "CONFIG_GRPC_XDS_SERVER_USE_TLS", "x"}, {xds, "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL", "10"}, {xds, "XDS_CLIENT_BACKOFF_MAX_INTERVAL", "x"},
		{xds, "XDS_CLIENT_BACKOFF_RANDOM_FACTOR", "half"}, {xds, "XDS_CLIENT_BACKOFF_JITTER", "x"}, {xds, "XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES", "4MB"},
		{xds, "CONFIG_GRPC_XDS_NODE_METADATA", "novalue"},
		{nil, "USE_STATSD", "x"}, {nil, "STATSD_PORT", "x"}, {nil, "STATSD_PORT", "70000"}, {nil, "STATSD_PROTOCOL", "sctp"},
		{nil, "USE_DOG_STATSD", "true"}, {nil, "USE_PROMETHEUS", "true"}, {prometheus, "USE_DOG_STATSD", "true"},
		{prometheus, "PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS", "x"},
		{dog, "DOG_STATSD_MOGRIFIER_X_PATTERN", ""}, {dog, "DOG_STATSD_MOGRIFIER_X_NAME", ""}, {dog, "DOG_STATSD_MOGRIFIER_X_PATTERN", "("},
		{nil, "DISABLE_STATS", "x"}, {nil, "EXTRA_TAGS", "a"}, {nil, "EXTRA_TAGS", "a:b:c"}, {nil, "STATS_FLUSH_INTERVAL", "10"},
		{nil, "STATS_MAX_DYNAMIC_NAMES", "many"}, {nil, "STATS_MAX_DYNAMIC_NAMES", "-1"},
		{nil, "BACKEND_TYPE", "etcd"}, {nil, "MEMORY_MAX_KEYS", "x"}, {nil, "MEMORY_MAX_KEYS", "0"},
		{nil, "EXPIRATION_JITTER_MAX_SECONDS", "x"}, {nil, "EXPIRATION_JITTER_MAX_SECONDS", "-1"},
		{nil, "LOCAL_CACHE_SIZE_IN_BYTES", "1MB"}, {nil, "NEAR_LIMIT_RATIO", "80%"},
		{nil, "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT", "x"}, {nil, "SHADOW_MODE", "x"}, {nil, "QUOTA_MODE", "x"},
		{nil, "RESPONSE_DYNAMIC_METADATA", "x"}, {nil, "LIMIT_RESPONSE_HEADERS_ENABLED", "x"}, {nil, "HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED", "x"},
		{redis, "REDIS_SOCKET_TYPE", "udp"}, {redis, "REDIS_TYPE", "RING"}, {redis, "REDIS_POOL_SIZE", "ten"}, {redis, "REDIS_POOL_SIZE", "-1"},
		{redis, "REDIS_TLS", "x"}, {redis, "REDIS_PERSECOND", "x"}, {redis, "REDIS_PIPELINE_WINDOW", "150"}, {redis, "REDIS_PIPELINE_LIMIT", "x"},
		{redis, "REDIS_CLUSTER_PIPELINE_PARALLELISM", "-1"}, {redis, "REDIS_HEALTH_CHECK_ACTIVE_CONNECTION", "x"}, {redis, "REDIS_TIMEOUT", "10"},
		{redis, "REDIS_POOL_ON_EMPTY_BEHAVIOR", "CREATE"}, {redis, "REDIS_POOL_ON_EMPTY_BEHAVIOR", "ERROR"},
		{redis, "REDIS_STARTUP_INITIAL_INTERVAL", "1"}, {redis, "REDIS_STARTUP_MAX_ELAPSED_TIME", "x"},
		{environ{"REDIS_TYPE": "SENTINEL", "REDIS_SOCKET_TYPE": "tcp"}, "REDIS_URL", "mymaster"},
		{environ{"REDIS_TLS": "true"}, "REDIS_TLS_CACERT", notThere},
		{environ{"REDIS_PERSECOND": "true"}, "REDIS_PERSECOND_TYPE", "RING"},
		{memcache, "MEMCACHE_SRV_REFRESH", "x"}, {memcache, "MEMCACHE_MAX_IDLE_CONNS", "x"}, {memcache, "MEMCACHE_TLS", "x"},
		{nil, "TRACING_ENABLED", "x"}, {environ{"TRACING_ENABLED": "true"}, "TRACING_EXPORTER_PROTOCOL", "carrier pigeon"},
		{nil, "TRACING_SAMPLING_RATE", "x"},
	} {
		set := environ{}
		maps.Copy(set, test.beside)
		set[test.name] = test.value
		_, err := app.ReadConfig(app.Settings{}, set)
		if err == nil {
			t.Errorf("%s=%q: got no error", test.name, test.value)
			continue
		}
		if got := err.Error(); !strings.Contains(got, test.name) || strings.Contains(got, "\n") {
			t.Errorf("%s=%q: got\n%s\nwant one line with the name", test.name, test.value, got)
		}
	}
}

func TestAllMalformedVariablesAreNamed(t *testing.T) {
	t.Parallel()
	_, err := app.ReadConfig(app.Settings{}, environ{"PORT": "x", "TRACING_ENABLED": "x", "REDIS_TIMEOUT": "x", "LOG_LEVEL": "x"})
	if err == nil {
		t.Fatal("got no error")
	}
	for _, name := range []string{"PORT", "TRACING_ENABLED", "REDIS_TIMEOUT", "LOG_LEVEL"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("got\n%v\nwant %s too", err, name)
		}
	}
	if lines := strings.Count(err.Error(), "\n") + 1; lines != 4 {
		t.Errorf("got %d lines, want 4:\n%v", lines, err)
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	for _, set := range []environ{
		{"REDIS_AUTH": "joe:hunter2", "REDIS_POOL_SIZE": "x"},
		{"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "redis://joe:hunter2@%zz", "REDIS_TYPE": "single"},
		{"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "redis://joe:hunter2@h:port/db/no"},
		{"REDIS_TYPE": "SENTINEL", "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "redis://joe:hunter2@h:1"},
		{"REDIS_TYPE": "CLUSTER", "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": "redis://joe:hunter2@h:1,x", "REDIS_SENTINEL_AUTH": "hunter2"},
	} {
		_, err := app.ReadConfig(app.Settings{}, set)
		if err == nil {
			t.Errorf("%v: got no error", set)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v is shown in\n%v", set, err)
		}
	}
}

func TestEmptyVariablesAreNotSet(t *testing.T) {
	t.Parallel()
	set := environ{}
	for _, name := range []string{
		"PORT", "GRPC_SERVER_USE_TLS", "LOG_LEVEL", "CONFIG_TYPE", "BACKEND_TYPE", "NEAR_LIMIT_RATIO", "REDIS_TIMEOUT", "STATS_FLUSH_INTERVAL",
		"EXTRA_TAGS", "TRACING_EXPORTER_PROTOCOL", "STATSD_PROTOCOL", "MEMCACHE_HOST_PORT",
	} {
		set[name] = ""
	}
	got, err := app.ReadConfig(app.Settings{Storage: app.Storage{Data: "d"}}, set)
	if err != nil {
		t.Fatal(err)
	}
	if got.Ratelimit.Edge.HTTPAddress() != "0.0.0.0:8080" || got.Ratelimit.Edge.GRPCAddress() != "0.0.0.0:8081" || got.Ratelimit.Edge.DebugAddress() != "0.0.0.0:6070" {
		t.Errorf("got %+v, want the usual addresses", got.Ratelimit.Edge)
	}
}

func TestMapperFileThatIsBroken(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "mapper.yaml")
	if err := os.WriteFile(broken, []byte("mappings: [{match: '***', name: 5"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{broken, broken + ".not-there"} {
		cfg, err := app.ReadConfig(app.Settings{}, environ{"USE_STATSD": "false", "USE_PROMETHEUS": "true", "PROMETHEUS_MAPPER_YAML": path})
		if err == nil {
			_, err = app.New(cfg, app.Options{Stderr: new(output)}, "ratelimit")
		}
		if err == nil || !strings.Contains(err.Error(), "PROMETHEUS_MAPPER_YAML") {
			t.Errorf("%s: got %v, want an error that names the variable", path, err)
		}
	}
}

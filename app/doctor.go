package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"stoa/internal/logs"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/rulefiles"
)

// Finding is one thing that serve needs, and whether it is there.
type Finding struct {
	What   string `json:"what"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitzero"` // what to do about it
}

// patience is how long a server that is looked for may take to answer.
const patience = 3 * time.Second

// Examine looks at everything that serve would need with these settings. It
// changes nothing.
func Examine(ctx context.Context, s Settings, environ map[string]string) []Finding {
	cfg, err := ReadConfig(s, environ)
	if err != nil {
		return []Finding{{"settings", false, strings.ReplaceAll(err.Error(), "\n", "; "), "correct them: deploy/stoa.yaml and docs/ratelimit/settings.md say what is allowed"}}
	}
	findings := []Finding{{"settings", true, "every variable can be read", ""}}
	findings = append(findings, examineData(s.Data), examineSpace(s.Data))
	findings = append(findings, cfg.examineClock(ctx)...)
	findings = append(findings, cfg.examineStorage(ctx)...)
	findings = append(findings, cfg.examinePublic()...)
	findings = append(findings, cfg.examineVideo(ctx)...)
	findings = append(findings, cfg.examineLimits()...)
	findings = append(findings, cfg.Ratelimit.examineRules()...)
	findings = append(findings, cfg.examineBackend(ctx)...)
	findings = append(findings, cfg.Ratelimit.examinePorts()...)
	return append(findings, cfg.examineSink()...)
}

func examineData(dir string) Finding {
	parent := dir
	for {
		info, err := os.Stat(parent)
		if err == nil && !info.IsDir() {
			return Finding{"data folder", false, parent + " is not a folder", "name another with STOA_DATA or --data"}
		}
		if err == nil {
			break
		}
		if !errors.Is(err, os.ErrNotExist) || parent == filepath.Dir(parent) {
			return Finding{"data folder", false, err.Error(), "name another with STOA_DATA or --data"}
		}
		parent = filepath.Dir(parent)
	}
	if probe, err := os.CreateTemp(parent, ".stoa-doctor-*"); err != nil {
		return Finding{"data folder", false, err.Error(), "give this user the right to write there, or name another with STOA_DATA"}
	} else {
		_ = probe.Close()
		_ = os.Remove(probe.Name())
	}
	return Finding{"data folder", true, dir, ""}
}

// existing is a folder, or the nearest one above it that is there already.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func (c *RatelimitConfig) examineRules() []Finding {
	const what = "ratelimit rules"
	if strings.EqualFold(c.Source, sourceXDS) {
		return []Finding{{what, true, "from the configuration server at " + c.XDS.ServerURL, ""}}
	}
	dir := c.Files.Dir()
	if _, err := os.Stat(dir); err != nil {
		return []Finding{{what, true, dir + " is not there yet; until it is, every request passes", "put rule files (*.yaml) there, or set RUNTIME_ROOT"}}
	}
	specs, faults, _, err := rulefiles.Read(dir, c.Files.IgnoreDotFiles)
	if err != nil {
		return []Finding{{what, false, err.Error(), "make the folder readable"}}
	}
	_, err = ratelimit.NewRules(specs, c.Merge, faults...)
	if faults, rejected := errors.AsType[ratelimit.Faults](err); rejected {
		return []Finding{{what, false, faults[0].Error(), fmt.Sprintf("stoa ratelimit check %s lists all %d faults", dir, len(faults))}}
	}
	return []Finding{{what, true, fmt.Sprintf("%s, files: %d", dir, len(specs)), ""}}
}

func (c *Config) examineBackend(ctx context.Context) []Finding {
	r := c.Ratelimit
	what := "ratelimit counters"
	switch r.Backend.Name {
	case "memory":
		return []Finding{{what, true, "in memory, because " + r.Backend.Reason, "set REDIS_URL to share them between processes"}}
	case "memcache":
		var findings []Finding
		for _, host := range r.Memcache.HostPort {
			findings = append(findings, examineAddress(what+" in memcached", "tcp", host, "start memcached there, or correct MEMCACHE_HOST_PORT"))
		}
		return findings
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	counter, err := redis.New(r.Redis, redis.Options{Log: logs.New(io.Discard, "text", logs.LevelPanic), Stats: stats.NewRegistry()})
	if err == nil {
		defer counter.Close()
		err = counter.Connect(ctx)
	}
	if err != nil {
		return []Finding{{what, false, "redis does not answer: " + err.Error(), "start it (apt-get install redis-server), or correct REDIS_URL and REDIS_SOCKET_TYPE"}}
	}
	return []Finding{{what, true, "redis answers", ""}}
}

func (c *RatelimitConfig) examinePorts() []Finding {
	var findings []Finding
	for _, port := range []struct{ name, address, variable string }{
		{"http", c.Edge.HTTPAddress(), "PORT"},
		{"grpc", c.Edge.GRPCAddress(), "GRPC_PORT"},
		{"debug", c.Edge.DebugAddress(), "DEBUG_PORT"},
	} {
		findings = append(findings, examinePort("ratelimit "+port.name+" port", port.address, port.variable))
	}
	return findings
}

func examinePort(what, address, variable string) Finding {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return Finding{what, false, err.Error(), "stop what listens there, or set " + variable}
	}
	_ = l.Close()
	return Finding{what, true, address + " is free", ""}
}

// examineSink looks for a StatsD server. Without one the service works as well,
// so it is no fault.
func (c *Config) examineSink() []Finding {
	if c.Stats.Sink() != stats.SinkStatsD || c.Stats.StatsDProtocol != "tcp" {
		return []Finding{{"statistics", true, "to " + string(c.Stats.Sink()), ""}}
	}
	f := examineAddress("statistics", "tcp", c.Stats.StatsDAddress(), "")
	if !f.OK {
		f.OK = true
		f.Detail = "nobody takes StatsD at " + c.Stats.StatsDAddress() + "; /metrics on the debug port has them all the same"
		f.Fix = "set STATSD_HOST, or USE_STATSD=false with USE_PROMETHEUS=true"
	}
	return []Finding{f}
}

func examineAddress(what, network, address, fix string) Finding {
	conn, err := net.DialTimeout(network, address, patience)
	if err != nil {
		return Finding{what, false, err.Error(), fix}
	}
	_ = conn.Close()
	return Finding{what, true, address + " answers", ""}
}

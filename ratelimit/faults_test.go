package ratelimit_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/ratelimit"
)

// Every fault of a file is told by one load, each once, in the order of the text.
func TestFaultsOfAFile(t *testing.T) {
	files, err := filepath.Glob("testdata/faults/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var faults ratelimit.Faults
			spec, err := ratelimit.ParseYAML(filepath.Base(file), text)
			errors.As(err, &faults)
			var specs []ratelimit.DomainSpec
			if spec.Domain != "" {
				specs = append(specs, spec)
			}
			b := open(t, "")
			err = ratelimit.NewLoader(b.Limiter, false, quiet, func(int) {}).Load(specs, faults)
			if err == nil {
				t.Fatal("got no faults")
			}
			goldentest.Check(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

func TestLoaderKeepsTheOldSetWhenANewOneIsBad(t *testing.T) {
	b := open(t, "")
	var log bytes.Buffer
	var domains []int
	l := ratelimit.NewLoader(b.Limiter, false, slog.New(slog.NewTextHandler(&log, nil)), func(n int) { domains = append(domains, n) })
	if err := l.Load([]ratelimit.DomainSpec{read(t, domain("{key: a, "+perHour+"}"))}, nil); err != nil {
		t.Fatal(err)
	}
	good := b.Rules()
	unread := ratelimit.Faults{{At: ratelimit.Position{File: "b.yaml", Line: 2, Column: 3}, Message: "error loading config file: x"}}
	if err := l.Load([]ratelimit.DomainSpec{read(t, "domain: other\n")}, unread); err == nil {
		t.Error("one bad file: got no error")
	}
	if err := l.Load([]ratelimit.DomainSpec{read(t, domain("{key: a}", "{key: a}"))}, nil); err == nil {
		t.Error("one bad spec: got no error")
	}
	if b.Rules() != good {
		t.Error("the old rules are gone")
	}
	if err := l.Load(nil, nil); err != nil {
		t.Errorf("no files at all: %v", err)
	}
	equal(t, "success", b.stat("ratelimit.service.config_load_success"), "2")
	equal(t, "error", b.stat("ratelimit.service.config_load_error"), "2")
	equal(t, "domains told", len(domains), 2)
	for _, line := range []string{
		`level=ERROR msg="Error loading new configuration: b.yaml:2:3: error loading config file: x"`,
		`level=ERROR msg="Error loading new configuration: shop.yaml:4:3: duplicate descriptor composite key 'shop.a'"`,
		`level=INFO msg="Successfully loaded new configuration"`,
	} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("log misses %s\n%s", line, log.String())
		}
	}
}

func TestLoaderTellsWhatItLoadedAtDebugLevel(t *testing.T) {
	b := open(t, "")
	var log bytes.Buffer
	handler := slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})
	l := ratelimit.NewLoader(b.Limiter, true, slog.New(handler), func(int) {})
	specs := []ratelimit.DomainSpec{
		read(t, domain("{key: a, value: b, descriptors: [{key: c, shadow_mode: true, rate_limit: {unit: day, requests_per_unit: 5}}]}")),
		read(t, domain("{key: free, rate_limit: {unlimited: true}}")),
	}
	if err := l.Load(specs, nil); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`"loading domain: shop"`, `"patching domain: shop"`, `"loading descriptor: key=shop.a_b"`,
		`"loading descriptor: key=shop.a_b.c ratelimit={requests_per_unit=5, unit=DAY, unlimited=false, shadow_mode=true, quota_mode=false}"`,
		`"loading descriptor: key=shop.free ratelimit={requests_per_unit=0, unit=UNKNOWN, unlimited=true, shadow_mode=false, quota_mode=false}"`,
	} {
		if !strings.Contains(log.String(), line) {
			t.Errorf("log misses %s\n%s", line, log.String())
		}
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release; the build sets it with -ldflags "-X main.version=…".
var version = "0.1.0-dev"

type versionCommand struct {
	outputFlag
}

// Help is shown by --help.
func (versionCommand) Help() string {
	return `With the version of Go and the platform that it was built for; as JSON, the revision too.

  stoa version -o json`
}

func (c *versionCommand) Run(p process) error {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
	}
	if c.Output == "json" {
		return json.NewEncoder(p.stdout).Encode(map[string]string{
			"version": version, "revision": revision, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		})
	}
	_, err := fmt.Fprintf(p.stdout, "stoa %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

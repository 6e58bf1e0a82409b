package rulefiles

import (
	"os"
	"path/filepath"
)

// Config says where the rules are: in Root/Subdirectory/AppDirectory. The
// variables' names are Envoy's rate limit service's.
type Config struct {
	Root           string `env:"RUNTIME_ROOT"` // empty: see Resolve
	Subdirectory   string `env:"RUNTIME_SUBDIRECTORY"`
	AppDirectory   string `env:"RUNTIME_APPDIRECTORY" envDefault:"config"`
	IgnoreDotFiles bool   `env:"RUNTIME_IGNOREDOTFILES" envDefault:"false"`

	// WatchRoot chooses in Envoy's service between a swap of Root and changes of
	// files. Here both are always watched, so that no edit goes unnoticed.
	WatchRoot bool `env:"RUNTIME_WATCH_ROOT" envDefault:"true"`
}

const defaultRoot = "/srv/runtime_data/current"

// Resolve fills in a Root that is not set: the one of Envoy's service where that
// exists, else a folder in dataDir, whose files are edited in place.
func (c Config) Resolve(dataDir string) Config { return c.resolve(defaultRoot, dataDir) }

func (c Config) resolve(usual, dataDir string) Config {
	if c.Root != "" {
		return c
	}
	if _, err := os.Stat(usual); err == nil {
		c.Root = usual
		return c
	}
	c.Root, c.WatchRoot = filepath.Join(dataDir, "ratelimit"), false
	return c
}

// Dir is the folder of the rules.
func (c Config) Dir() string { return filepath.Join(c.Root, c.Subdirectory, c.AppDirectory) }

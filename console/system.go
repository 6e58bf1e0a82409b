package console

import (
	"context"
	"maps"
	"runtime"
	"runtime/debug"
	"sync"

	"stoa/internal/health"
	"stoa/internal/web"
	"stoa/video"
)

func (c *Console) systemRoutes() web.Routes {
	all := web.Routes{
		"GET " + base + "/system":          c.forOperator(c.getSystem),
		"GET " + base + "/system/versions": c.forOperator(c.getVersions),
		"GET " + base + "/system/storage":  c.forOperator(c.getStorage),
		"GET " + base + "/system/settings": c.forOperator(c.getSettings),
	}
	for _, part := range []web.Routes{c.jobRoutes(), c.keyRoutes(), c.accountRoutes()} {
		maps.Copy(all, part)
	}
	return all
}

// system is how the process is.
type system struct {
	State health.State  `json:"state"` // the worst of the parts
	Parts []health.Part `json:"parts"`
}

func (c *Console) getSystem(call *call) error {
	parts := []health.Part{}
	if c.Health != nil {
		parts = append(parts, c.Health(call.r.Context())...)
	}
	return call.answer(system{health.Worst(parts), parts})
}

// version is of something that the process is made of.
type version struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (c *Console) getVersions(call *call) error {
	versions := []version{{"Stoa", c.Version}}
	if revision := revision(); revision != "" {
		versions = append(versions, version{"Revision", revision})
	}
	versions = append(versions, version{"Go", runtime.Version()}, version{"Platform", runtime.GOOS + "/" + runtime.GOARCH})
	if engine, err := c.DB.Engine(call.r.Context()); err == nil { // health says what is wrong with it
		versions = append(versions, version{"Database", engine})
	}
	if c.Video != nil {
		versions = append(versions, version{"ffmpeg", c.encoder.text(call.r.Context())})
	}
	return call.answer(map[string]any{"versions": versions})
}

// revision is that of the sources, where the build noted it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// encoder remembers what encodes on this machine: to ask starts a process.
type encoder struct {
	mu    sync.Mutex
	known string
}

func (e *encoder) text(ctx context.Context) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.known == "" {
		text, _, err := video.Machine(ctx)
		if err != nil {
			return "not on this machine: apt-get install ffmpeg; uploads are taken and wait"
		}
		e.known = text
	}
	return e.known
}

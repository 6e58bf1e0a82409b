package console

import "stoa/internal/config"

// setting is a value, and where it comes from.
type setting struct {
	Name   string        `json:"name"`
	Value  string        `json:"value"` // secrets are masked
	Origin config.Origin `json:"origin"`
	Place  string        `json:"place"` // the flag, the variable, or file and line; "" for a default
	Help   string        `json:"help"`
}

func (c *Console) getSettings(call *call) error {
	settings := []setting{}
	for _, s := range c.Settings {
		settings = append(settings, setting(s))
	}
	return call.answer(map[string]any{"settings": settings})
}

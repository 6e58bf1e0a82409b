package console

import (
	"cmp"
	"strings"
	"time"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/video"
)

func (c *Console) keyRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/system/keys":           c.forOperator(c.listKeys),
		"POST " + base + "/system/keys":          c.forOperator(c.postKey),
		"PATCH " + base + "/system/keys/{name}":  c.forOperator(c.patchKey),
		"DELETE " + base + "/system/keys/{name}": c.forOperator(c.deleteKey),
	}
}

// key is an API key of the videos.
type key struct {
	Name      string    `json:"name"`
	Project   string    `json:"project"`
	Limits    keyLimits `json:"limits"`
	Suspended bool      `json:"suspended"`
	Console   bool      `json:"console"` // it is that of the console itself
	Created   time.Time `json:"created"`
}

// keyLimits is calls a minute; 0 is the environment's own figure.
type keyLimits struct {
	Uploads int `json:"uploads"`
	Writes  int `json:"writes"`
	Reads   int `json:"reads"`
}

func (c *Console) listKeys(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	keys := []key{}
	for k, err := range c.Video.Keys(call.r.Context()) {
		if err != nil {
			return err
		}
		keys = append(keys, key{k.Name, k.Project, keyLimits(k.Limits), k.Suspended, strings.HasPrefix(k.Name, video.ConsoleKeys), k.Created.Truncate(time.Second)})
	}
	return call.answer(map[string]any{"keys": keys})
}

// postKey makes a key. Its text is nowhere to be read again.
func (c *Console) postKey(call *call) error {
	var body struct {
		Name    string    `json:"name"`
		Project string    `json:"project"`
		Limits  keyLimits `json:"limits"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	if c.Video == nil {
		return errNoVideo
	}
	if err := body.Limits.check(); err != nil {
		return err
	}
	text, err := c.Video.CreateKey(call.r.Context(), body.Name, cmp.Or(body.Project, video.DefaultProject), video.Limits(body.Limits))
	if err != nil {
		return err
	}
	c.Log.Info("an operator made an API key", "operator", call.operator.Username, "key", body.Name)
	return call.answer(map[string]string{"name": body.Name, "key": text})
}

// largestLimit is more than anybody means.
const largestLimit = 1_000_000

func (l keyLimits) check() error {
	given := 0
	for _, n := range []int{l.Uploads, l.Writes, l.Reads} {
		if n < 0 || n > largestLimit {
			return fault.New(fault.Invalid, "limits are from 1 to %d calls a minute, or 0 for those of the environment", largestLimit)
		}
		if n > 0 {
			given++
		}
	}
	if given != 0 && given != 3 {
		return fault.New(fault.Invalid, "give all three limits, or none")
	}
	return nil
}

// patchKey suspends a key, or lets it in again.
func (c *Console) patchKey(call *call) error {
	var body struct {
		Suspended *bool `json:"suspended"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	if c.Video == nil {
		return errNoVideo
	}
	if body.Suspended == nil {
		return fault.New(fault.Invalid, "suspended is missing: true or false")
	}
	name := call.r.PathValue("name")
	if err := c.Video.SuspendKey(call.r.Context(), name, *body.Suspended); err != nil {
		return err
	}
	c.Log.Info("an operator changed an API key", "operator", call.operator.Username, "key", name, "suspended", *body.Suspended)
	return call.done()
}

func (c *Console) deleteKey(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	name := call.r.PathValue("name")
	if err := c.Video.DeleteKey(call.r.Context(), name); err != nil {
		return err
	}
	c.Log.Info("an operator deleted an API key", "operator", call.operator.Username, "key", name)
	return call.done()
}

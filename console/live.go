package console

import (
	"time"

	"stoa/internal/web"
)

// Doors is where publishers of live streams come in, without their keys: "" for what is
// not offered.
type Doors struct {
	RTMP  string `json:"rtmp"`  // rtmp://host:1935/s
	RTMPS string `json:"rtmps"` // rtmps://host:1936/s
	SRT   string `json:"srt"`   // srt://host:6200
	WHIP  string `json:"whip"`  // https://host/whip
	// Passphrase tells whether SRT publishers may encrypt, with the passphrase of the
	// settings.
	Passphrase bool `json:"passphrase"`
}

func (c *Console) liveRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/live/doors":                  c.forOperator(c.getDoors),
		"GET " + base + "/live/{liveStream}/restreams": c.forOperator(c.listRestreams),
	}
}

func (c *Console) getDoors(call *call) error { return call.answer(c.Doors) }

type restreams struct {
	Restreams []restream `json:"restreams"`
}

type restream struct {
	Name      string     `json:"name"`
	Host      string     `json:"host"`
	State     string     `json:"state"`
	Message   string     `json:"message"`
	Lost      int64      `json:"lost"`
	ChangedAt *time.Time `json:"changedAt"`
}

// listRestreams is how it stands with the restreams of a live stream.
func (c *Console) listRestreams(call *call) error {
	if c.Video == nil {
		return errNoVideo
	}
	states, err := c.Video.Restreams(call.r.Context(), call.r.PathValue("liveStream"))
	if err != nil {
		return err
	}
	answer := restreams{Restreams: []restream{}}
	for _, s := range states {
		answer.Restreams = append(answer.Restreams, restream{s.Name, s.Host, s.Phase, s.Message, s.Lost, moment(s.Changed)})
	}
	return call.answer(answer)
}

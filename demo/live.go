package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// stopLimit is how long ffmpeg may take to end.
const stopLimit = 5 * time.Second

const liveName = "Demo"

// Signal is a live stream and where it is sent to.
type Signal struct {
	Player string // where it is watched
	server string // rtmp://…/s/KEY
}

// Live makes or finds the live stream of the demo. server is where broadcasts are
// sent to, "rtmp://127.0.0.1:1935/s".
func Live(ctx context.Context, o Options, server string) (Signal, error) {
	d, err := open(ctx, o)
	if err != nil {
		return Signal{}, err
	}
	if err := d.openKey(ctx); err != nil {
		return Signal{}, err
	}
	type stream struct {
		Name, StreamKey string
		Assets          struct{ Player string }
	}
	var list struct{ Data []stream }
	err = d.video.call(ctx, http.MethodGet, "/live-streams?name="+liveName+"&pageSize=100", nil, &list)
	var found stream
	for _, there := range list.Data {
		if there.Name == liveName {
			found = there
		}
	}
	if err == nil && found.StreamKey == "" {
		err = d.video.call(ctx, http.MethodPost, "/live-streams", map[string]string{"name": liveName}, &found)
	}
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusBadRequest) {
		return Signal{}, fmt.Errorf("the server at %s takes no live streams: %w", d.Video, err)
	}
	return Signal{found.Assets.Player, server + "/" + found.StreamKey}, err
}

// Send broadcasts a generated signal until the context ends: a picture with the seconds
// in it, and a tone that beeps with them.
func (s Signal) Send(ctx context.Context) error {
	err := runFFmpeg(ctx, []string{
		"-v", "error", "-nostdin", "-re", "-f", "lavfi", "-i", "testsrc=size=1280x720:rate=30",
		"-re", "-f", "lavfi", "-i", "sine=frequency=220:beep_factor=4:sample_rate=48000",
		"-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "60", "-b:v", "2M", "-pix_fmt", "yuv420p",
		"-c:a", "aac", "-b:a", "96k", "-f", "flv", s.server,
	})
	if ctx.Err() != nil || err == nil {
		return nil // told to stop
	}
	return fmt.Errorf("the broadcast ended: %w", err)
}

// isStatus tells whether an error is a refusal with this status.
func isStatus(err error, status int) bool {
	r, ok := errors.AsType[*refusal](err)
	return ok && r.status == status
}

package analytics

import (
	"encoding/json"
	"slices"
	"time"

	"stoa/video/internal/problem"
)

// sessionBody is a batch of the first version, as it is sent. An id stands in one
// of two fields.
type sessionBody struct {
	EmittedAt string `json:"emitted_at"`
	Session   struct {
		ID         string `json:"session_id"`
		LoadedAt   string `json:"loaded_at"`
		Video      string `json:"video_id"`
		LiveStream string `json:"live_stream_id"`
		Referrer   string `json:"referrer"`
	} `json:"session"`
	Events []struct {
		EmittedAt string  `json:"emitted_at"`
		Type      string  `json:"type"`
		At        float64 `json:"at"`
		From      float64 `json:"from"`
		To        float64 `json:"to"`
	} `json:"events"`
}

// firstKinds are the types of the first version.
var firstKinds = map[string]kind{
	"ready": loaded, "play": play, "resume": play, "pause": pause, "end": end,
	"seek.forward": seek, "seek.backward": seek,
}

// parseSession reads a batch of the first version. Its playback is empty when the
// player has no session yet; loadedAt then helps to find the one it had meant.
func parseSession(body []byte, live bool, received time.Time) (b batch, loadedAt string, err error) {
	var in sessionBody
	if json.Unmarshal(body, &in) != nil {
		return b, "", errPayload
	}
	name := "session[video_id]"
	b = batch{media: in.Session.Video, playback: in.Session.ID, session: in.Session.ID, referrer: cleanReferrer(in.Session.Referrer)}
	if live {
		name, b.media = "session[live_stream_id]", in.Session.LiveStream
	}
	sent, ok := clock(in.EmittedAt)
	switch {
	case !isID(b.media):
		return b, "", errID(name)
	case b.playback != "" && !isID(b.playback):
		return b, "", errID("session[session_id]")
	case !ok:
		return b, "", problem.Attribute("emitted_at", "This must be a time such as 2024-05-28T11:15:07.123Z.")
	case len(in.Events) > maxEvents:
		return b, "", problem.Attribute("events", "At most %d events are taken at once.", maxEvents)
	case len(in.Session.LoadedAt) > maxID:
		return b, "", problem.Attribute("session[loaded_at]", "This must be a time such as 2024-05-28T11:15:07.123Z.")
	}
	b.events = in.happened(sent)
	slices.SortFunc(b.events, compare)
	place(b.events, sent, received)
	return b, in.Session.LoadedAt, nil
}

// happened are the events in our words. The batch itself says that somebody is
// there, also without events: a player of this version sends no positions while
// it plays.
func (in *sessionBody) happened(sent int64) []event {
	events := []event{{emitted: sent, kind: ping}}
	for _, e := range in.Events {
		emitted, ok := clock(e.EmittedAt)
		what, known := firstKinds[e.Type]
		position, fine := milliseconds(e.At)
		if what == seek {
			from, begun := milliseconds(e.From)
			if position, fine = milliseconds(e.To); begun && ok {
				events = append(events, event{emitted: emitted, kind: timeUpdate, position: from})
			}
		}
		if ok && known && fine {
			events = append(events, event{emitted: emitted, kind: what, position: position})
		}
	}
	return events
}

func clock(text string) (ms int64, ok bool) {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil || !isClock(float64(t.UnixMilli())) {
		return 0, false
	}
	return t.UnixMilli(), true
}

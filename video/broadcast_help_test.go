package video_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	osexec "os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/live"
)

// broadcastReel is what a publisher sends.
type broadcastReel struct {
	formats []live.Format
	frames  []live.Frame // in the order of decoding
	length  time.Duration
}

// The reels: seven seconds of numbered pictures with a tone, and the same without one.
var (
	talk   = ffmpegtest.Spec{Seconds: 7, Rate: "10", GOP: 20, Audio: true, Options: fragmented}
	silent = ffmpegtest.Spec{Seconds: 5, Rate: "10", GOP: 20, Options: fragmented}
	wide   = ffmpegtest.Spec{Seconds: 5, Width: 640, Height: 360, Rate: "10", GOP: 20, Audio: true, Options: fragmented}
)

const fragmented = "-movflags +frag_keyframe+empty_moov+default_base_moof"

var reels sync.Map

// newReel is a film as a publisher sends it.
func newReel(t testing.TB, spec ffmpegtest.Spec) *broadcastReel {
	t.Helper()
	if known, ok := reels.Load(spec); ok {
		return known.(*broadcastReel)
	}
	content, err := os.ReadFile(ffmpegtest.Source(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	var init fmp4.Init
	if err := init.Unmarshal(bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	var parts fmp4.Parts
	if err := parts.Unmarshal(content); err != nil {
		t.Fatal(err)
	}
	r := &broadcastReel{length: time.Duration(spec.Seconds * float64(time.Second))}
	for i, track := range init.Tracks {
		r.formats = append(r.formats, track.Codec)
		r.read(i, track, parts)
	}
	slices.SortStableFunc(r.frames, func(a, b live.Frame) int { return int(a.DTS - b.DTS) })
	reels.Store(spec, r)
	return r
}

func (r *broadcastReel) read(number int, track *fmp4.InitTrack, parts fmp4.Parts) {
	in := func(units int64) time.Duration {
		return time.Duration(units) * time.Second / time.Duration(track.TimeScale)
	}
	for _, part := range parts {
		for _, run := range part.Tracks {
			if run.ID != track.ID {
				continue
			}
			at := int64(run.BaseTime)
			for _, sample := range run.Samples {
				r.frames = append(r.frames, live.Frame{
					Track: number, DTS: in(at), PTS: in(at + int64(sample.PTSOffset)),
					Key: !track.Codec.IsVideo() || isKey(sample.Payload), Payload: sample.Payload,
				})
				at += int64(sample.Duration)
			}
		}
	}
}

// isKey tells whether a picture of H.264 can be decoded alone.
func isKey(payload []byte) bool {
	for len(payload) > 4 {
		if payload[4]&0x1f == 5 {
			return true
		}
		payload = payload[min(len(payload), 4+int(binary.BigEndian.Uint32(payload))):]
	}
	return false
}

// sound is the reel without its picture.
func (r *broadcastReel) sound() *broadcastReel {
	only := &broadcastReel{length: r.length}
	for i, f := range r.formats {
		if !f.IsVideo() {
			only.formats = append(only.formats, f)
			for _, frame := range r.frames {
				if frame.Track == i {
					frame.Track = 0
					only.frames = append(only.frames, frame)
				}
			}
		}
	}
	return only
}

// enter is a publisher who comes in.
func (s *site) enter(key string) live.Feed {
	s.t.Helper()
	feed, err := s.Enter(s.t.Context(), key, live.Publisher{Protocol: "test", Address: "here"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(feed.Close)
	return feed
}

// send sends what is in a reel from a time to another.
func (r *broadcastReel) send(t testing.TB, feed live.Feed, from, to time.Duration) {
	t.Helper()
	if err := feed.Start(r.formats); err != nil {
		t.Fatal(err)
	}
	r.write(t, feed, 0, from, to)
}

// write writes frames, later by some time.
func (r *broadcastReel) write(t testing.TB, feed live.Feed, later, from, to time.Duration) {
	t.Helper()
	for _, f := range r.frames {
		if f.DTS < from || f.DTS >= to {
			continue
		}
		f.DTS, f.PTS = f.DTS+later, f.PTS+later
		if err := feed.Write(f); err != nil {
			t.Fatal(err)
		}
	}
}

// newStream makes a live stream by the API.
func (s *site) newStream(more ...object) (id, key string) {
	s.t.Helper()
	body := object{"name": "Show"}
	for _, m := range more {
		maps.Copy(body, m)
	}
	made := s.call("POST", "/live-streams", body).want(200)
	return made["liveStreamId"].(string), made["streamKey"].(string)
}

func (s *site) broadcasting(id string) bool {
	s.t.Helper()
	return s.call("GET", "/live-streams/"+id, nil).want(200)["broadcasting"].(bool)
}

func (s *site) complete(id string) {
	s.t.Helper()
	s.call("PUT", "/live-streams/"+id+"/complete", nil).want(202)
}

// recordings are the videos of a live stream, the oldest first.
func (s *site) recordings(id string) (ids []string) {
	s.t.Helper()
	list := s.call("GET", "/videos?sortBy=createdAt&sortOrder=asc&liveStreamId="+id, nil).want(200)
	for _, v := range list["data"].([]any) {
		ids = append(ids, v.(object)["videoId"].(string))
	}
	return ids
}

// recorded waits for the recordings of a live stream.
func (s *site) recorded(id string, n int) (ids []string) {
	s.t.Helper()
	until(s.t, "the recording", func() bool { ids = s.recordings(id); return len(ids) >= n })
	if len(ids) != n {
		s.t.Fatalf("got recordings %v want %d", ids, n)
	}
	return ids
}

// downloaded is a file with all of a playlist, as ffmpeg loads it.
func (s *site) downloaded(path string) string {
	s.t.Helper()
	file := s.t.TempDir() + "/all.mp4"
	s.ffmpeg("-i", s.url+path, "-c", "copy", file)
	return file
}

func (s *site) ffmpeg(args ...string) {
	s.t.Helper()
	out, err := osexec.CommandContext(s.t.Context(), "ffmpeg", append([]string{"-nostdin", "-v", "error", "-y"}, args...)...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("ffmpeg %v: %v\n%s", args, err, out)
	}
}

// qualitiesOf are the qualities of a video that plays, with their states, sorted.
func (w *workshop) qualitiesOf(id string) (all []string) {
	w.t.Helper()
	states, playable := w.qualities(id)
	if !playable {
		w.t.Errorf("%s: got not playable want playable", id)
	}
	for name, state := range states {
		all = append(all, name+" "+state)
	}
	slices.Sort(all)
	return all
}

// hearEverything has a webhook that is told of all events.
func (s *site) hearEverything() {
	s.t.Helper()
	s.call("POST", "/webhooks", object{"url": "https://example.com/hook", "events": []string{
		"live-stream.broadcast.started", "live-stream.broadcast.ended", "video.source.recorded", "video.encoding.quality.completed",
	}}).want(201)
}

// heard are the events that it was told of, sorted.
func (w *workshop) heard() (events []string) {
	w.t.Helper()
	rows, err := w.d.Query(w.t.Context(), `SELECT event FROM video_deliveries ORDER BY event`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var event string
		if err := rows.Scan(&event); err != nil {
			w.t.Fatal(err)
		}
		events = append(events, event)
	}
	return events
}

// wantInSync checks that picture and sound of a recording are both about so long. A sound
// may end a little before its picture, as publishers send both by the time of decoding.
func (s *site) wantInSync(id string, length time.Duration) {
	s.t.Helper()
	for _, track := range []string{"240p", "audio"} {
		got := s.lengthOf(s.downloaded("/vod/" + id + "/hls/" + track + "/manifest.m3u8"))
		if off := got - length; off < -300*time.Millisecond || off > 300*time.Millisecond {
			s.t.Errorf("%s: got %v want about %v", track, got, length)
		}
	}
}

// lengthOf is how long a film is.
func (s *site) lengthOf(path string) time.Duration {
	s.t.Helper()
	out, err := osexec.CommandContext(s.t.Context(), "ffprobe", "-v", "error", "-show_entries", "stream=duration", "-of", "csv=p=0", path).Output()
	if err != nil {
		s.t.Fatal(err)
	}
	length, err := time.ParseDuration(string(bytes.TrimSpace(out)) + "s")
	if err != nil {
		s.t.Fatal(err)
	}
	return length
}

// breakAt has a storage take no file whose key ends so.
func (w *watched) breakAt(ending string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.before = func(_ context.Context, key string) error {
		if strings.HasSuffix(key, ending) {
			return errors.New("this storage is broken")
		}
		return nil
	}
}

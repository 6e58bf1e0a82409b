package app_test

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"
)

// probed is what ffprobe says of a film or a rendition.
type probed struct {
	t       *testing.T
	where   string
	Packets []struct {
		Kind     string  `json:"codec_type"`
		Time     float64 `json:"pts_time,string"`
		Duration float64 `json:"duration_time,string"`
		Flags    string  `json:"flags"`
	} `json:"packets"`
	Streams []struct {
		Kind       string `json:"codec_type"`
		Codec      string `json:"codec_name"`
		Pixels     string `json:"pix_fmt"`
		Width      int    `json:"width"`
		Height     int    `json:"height"`
		SampleRate string `json:"sample_rate"`
		Channels   int    `json:"channels"`
		Rate       string `json:"avg_frame_rate"`
	} `json:"streams"`
}

func probeFile(t *testing.T, address string) *probed {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-of", "json", "-show_streams", "-show_packets", address).Output()
	if err != nil {
		t.Fatalf("ffprobe %s: %v", address, err)
	}
	p := &probed{t: t, where: address}
	if err := json.Unmarshal(out, p); err != nil {
		t.Fatal(err)
	}
	return p
}

// wantPicture checks the video track, and returns the times of its keyframes.
func (p *probed) wantPicture(width, height int) []float64 {
	p.t.Helper()
	for _, s := range p.Streams {
		if s.Kind == "video" && (s.Codec != "h264" || s.Width != width || s.Height != height || s.Pixels != "yuv420p") {
			p.t.Errorf("%s: got %+v, want h264 of %d×%d", p.where, s, width, height)
		}
	}
	var times, keys []float64
	for _, packet := range p.Packets {
		if packet.Kind != "video" {
			continue
		}
		times = append(times, packet.Time)
		if packet.Flags[0] == 'K' {
			keys = append(keys, packet.Time)
		}
	}
	slices.Sort(times)
	if len(times) != filmFrames {
		p.t.Fatalf("%s: got %d frames, want %d", p.where, len(times), filmFrames)
	}
	for i, at := range times {
		if want := float64(i) * frameTime; math.Abs(at-times[0]-want) > frameTime/10 {
			p.t.Fatalf("%s: got frame %d at %v s, want %v s", p.where, i, at-times[0], want)
		}
	}
	return keys
}

// wantSound checks the audio track, which may be longer than the film by less than two
// of its own frames and must not be shorter than the film by a picture.
func (p *probed) wantSound() {
	p.t.Helper()
	end := 0.0
	for _, s := range p.Streams {
		if s.Kind == "audio" && (s.Codec != "aac" || s.Channels != 2 || s.SampleRate != "48000") {
			p.t.Errorf("%s: got %+v, want AAC stereo of 48 kHz", p.where, s)
		}
	}
	for _, packet := range p.Packets {
		if packet.Kind == "audio" {
			end = max(end, packet.Time+packet.Duration)
		}
	}
	if end < filmTime-frameTime || end > filmTime+2*1024.0/48000 {
		p.t.Errorf("%s: got sound until %v s, want until %v s", p.where, end, filmTime)
	}
}

var (
	variant   = regexp.MustCompile(`#EXT-X-STREAM-INF:.*BANDWIDTH=(\d+).*RESOLUTION=(\d+)x(\d+).*CODECS="([^"]+)".*\n(\S+)`)
	rendition = regexp.MustCompile(`#EXT-X-MEDIA:TYPE=AUDIO,.*URI="([^"]+)"`)
	reference = regexp.MustCompile(`(?m)^[^#\s]\S*$|URI="([^"]+)"`)
)

// wantRenditions checks what a player finds from the master playlist on, and returns
// that playlist.
func (j *journey) wantRenditions(v *apivideo.Video) string {
	j.t.Helper()
	master := v.Assets.GetHls()
	text := fetch(j.t, http.MethodGet, master, "").body
	var keyframes []float64
	sizes := map[int]int{240: 428, 360: 640, 480: 854}
	for _, m := range variant.FindAllStringSubmatch(text, -1) {
		width, _ := strconv.Atoi(m[2])
		height, _ := strconv.Atoi(m[3])
		if bits, _ := strconv.Atoi(m[1]); sizes[height] != width || bits < 100_000 || m[4][:5] != "avc1." {
			j.t.Errorf("got %s, want an H.264 rendition of the ladder", m[0])
		}
		delete(sizes, height)
		keys := probeFile(j.t, against(j.t, master, m[5])).wantPicture(width, height)
		if keyframes == nil {
			keyframes = keys
		}
		if !slices.Equal(keys, keyframes) || len(keys) < 3 {
			j.t.Errorf("%dp: got keyframes at %v, want them at %v as in the others", height, keys, keyframes)
		}
	}
	if len(sizes) > 0 {
		j.t.Errorf("got\n%s\nwithout %v", text, sizes)
	}
	sound := rendition.FindStringSubmatch(text)
	if sound == nil {
		j.t.Fatalf("got no sound in\n%s", text)
	}
	probeFile(j.t, against(j.t, master, sound[1])).wantSound()
	return text
}

// addresses is everything that belongs to a video: its assets, each playlist that the
// master names, and each file that those name.
func (j *journey) addresses(v *apivideo.Video, master string) []string {
	j.t.Helper()
	all := []string{v.Assets.GetHls(), v.Assets.GetMp4(), v.Assets.GetPlayer(), v.Assets.GetThumbnail()}
	for _, playlist := range named(j.t, v.Assets.GetHls(), master) {
		all = append(all, playlist)
		all = append(all, named(j.t, playlist, fetch(j.t, http.MethodGet, playlist, "").body)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// named is the addresses in a playlist.
func named(t *testing.T, playlist, text string) []string {
	t.Helper()
	var all []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		if m[1] == "" {
			m[1] = m[0]
		}
		all = append(all, against(t, playlist, m[1]))
	}
	return all
}

func against(t *testing.T, base, address string) string {
	t.Helper()
	from, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	to, err := from.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return to.String()
}

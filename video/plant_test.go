package video_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// plant is a video whose rows and files a test has put there, as encoding would have:
// 100 s in two sizes with sound.
type plant struct {
	s    *site
	id   string
	plan encode.Plan
}

// The states of video_encodings.
const (
	waiting = iota
	encoding
	encoded
	failed
)

// plantVideo makes a video with an encoding of which nothing is done.
func (s *site) plantVideo(more ...object) *plant {
	s.t.Helper()
	p := &plant{s: s, id: s.newVideo("Planted", more...)}
	media := ffmpeg.Media{
		Duration: 100 * time.Second, Audio: &ffmpeg.AudioStream{Index: 1, Codec: "aac", SampleRate: 48000},
		Video: &ffmpeg.VideoStream{Codec: "h264", Width: 640, Height: 360, FrameRate: ffmpeg.Rate{Num: 25, Den: 1}, Duration: 100 * time.Second},
	}
	var err error
	if p.plan, err = encode.NewPlan(media, encode.Options{}); err != nil {
		s.t.Fatal(err)
	}
	p.exec(`INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
		VALUES ($1, $2, FALSE, '', $3, '', '', 0, 0)`, p.id, waiting, text(p.plan))
	for n := -1; n < p.plan.Chunks(); n++ {
		p.exec(`INSERT INTO video_chunks (video_id, number, run, kept, done, segments) VALUES ($1, $2, 0, 0, FALSE, '')`, p.id, n)
	}
	return p
}

// plantWhole makes a video that is encoded.
func (s *site) plantWhole(more ...object) *plant {
	s.t.Helper()
	p := s.plantVideo(more...)
	p.sound(3)
	for n := range p.plan.Chunks() {
		p.chunk(n, p.size(n), true)
	}
	p.state(encoded, true)
	return p
}

// size is how many segments a chunk has.
func (p *plant) size(chunk int) int { return p.plan.FirstSegment(chunk+1) - p.plan.FirstSegment(chunk) }

// exec changes rows, and the version of the video with them.
func (p *plant) exec(text string, args ...any) {
	p.s.t.Helper()
	err := p.s.DB.InTx(p.s.t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec(p.s.t.Context(), text, args...); err != nil {
			return err
		}
		_, err := tx.Exec(p.s.t.Context(), `UPDATE videos SET version = version + 1 WHERE id = $1`, p.id)
		return err
	})
	if err != nil {
		p.s.t.Fatal(err)
	}
}

func (p *plant) state(state int, playable bool) {
	p.s.t.Helper()
	p.exec(`UPDATE video_encodings SET state = $2, playable = $3 WHERE video_id = $1`, p.id, state, playable)
}

// put stores a file below the folder of the video.
func (p *plant) put(name, content string) {
	p.s.t.Helper()
	if _, err := p.s.Blobs.Put(p.s.t.Context(), "video/"+p.id+"/"+name, strings.NewReader(content), ""); err != nil {
		p.s.t.Fatal(err)
	}
}

// chunk stores the first segments of a chunk.
func (p *plant) chunk(number, segments int, done bool) {
	p.s.t.Helper()
	first := p.plan.FirstSegment(number)
	kept := object{}
	codecs := object{}
	for _, r := range p.plan.Renditions {
		p.put("hls/"+r.Name+"/init.mp4", "head of "+r.Name)
		codecs[r.Name] = "avc1.64001e"
		kept[r.Name] = p.segments(r.Name, first, segments, p.plan.Timescale(r.Name)*4)
	}
	p.row(number, segments, done, object{"codecs": codecs, "segments": kept})
}

// sound stores segments of the sound.
func (p *plant) sound(segments int) {
	p.s.t.Helper()
	p.put("hls/audio/init.mp4", "head of the sound")
	kept := p.segments("audio", 0, segments, 192512)
	p.row(-1, segments, true, object{"codecs": object{"audio": "mp4a.40.2"}, "segments": object{"audio": kept}})
}

func (p *plant) segments(track string, first, n int, duration int64) []object {
	p.s.t.Helper()
	kept := []object{}
	for i := range n {
		content := strings.Repeat(fmt.Sprintf("%s %d;", track, first+i), 200)
		p.put(fmt.Sprintf("hls/%s/%d.m4s", track, first+i), content)
		kept = append(kept, object{"d": duration, "b": len(content), "f": 100})
	}
	return kept
}

func (p *plant) row(number, kept int, done bool, segments object) {
	p.s.t.Helper()
	p.exec(`UPDATE video_chunks SET kept = $3, done = $4, segments = $5 WHERE video_id = $1 AND number = $2`, p.id, number, kept, done, text(segments))
}

// path is an address of the video, from its root.
func (p *plant) path(name string) string { return "/vod/" + p.id + "/" + name }

// text is a value as JSON.
func text(v any) string {
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(v); err != nil {
		panic(err)
	}
	return b.String()
}

package video_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/ffmpeg"
)

// nothingKnown is the metadata of a source before anybody has looked at it.
var nothingKnown = object{
	"width": nil, "height": nil, "bitrate": nil, "duration": nil, "framerate": nil, "samplerate": nil,
	"videoCodec": nil, "audioCodec": nil, "aspectRatio": nil,
}

func wantStatus(s *site, id string, want object) {
	s.t.Helper()
	if got := s.call("GET", "/videos/"+id+"/status", nil).want(200); !reflect.DeepEqual(got, want) {
		s.t.Errorf("got %v want %v", got, want)
	}
}

func TestStatusOfAnEmptyVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		wantStatus(s, s.newVideo("x"), object{
			"ingest": object{
				"status": "uploading", "filesize": nil, "receivedBytes": []any{}, "receivedParts": object{"parts": []any{}, "total": nil},
			},
			"encoding": object{"playable": false, "qualities": []any{}, "metadata": nothingKnown},
		})
	})
}

func TestStatusOfAnUpload(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plant := func(form string, total int64, numbers ...int64) string {
			id := s.newVideo("x")
			exec(t, d, `UPDATE videos SET source_type = 'upload', upload_form = $2, upload_total = $3 WHERE id = $1`, id, form, total)
			for _, n := range numbers {
				exec(t, d, `INSERT INTO video_parts (video_id, number, size, blob) VALUES ($1, $2, 10, '')`, id, n)
			}
			return id
		}
		none := object{"playable": false, "qualities": []any{}, "metadata": nothingKnown}
		wantStatus(s, plant("part", 0, 10, 2, 1), object{"encoding": none, "ingest": object{
			"status": "uploading", "filesize": nil, "receivedBytes": []any{}, "receivedParts": object{"parts": []any{1.0, 2.0, 10.0}, "total": nil},
		}})
		wantStatus(s, plant("part", 4, 2), object{"encoding": none, "ingest": object{
			"status": "uploading", "filesize": nil, "receivedBytes": []any{}, "receivedParts": object{"parts": []any{2.0}, "total": 4.0},
		}})
		wantStatus(s, plant("bytes", 40, 30, 10), object{"encoding": none, "ingest": object{
			"status": "uploading", "filesize": 40.0, "receivedParts": object{"parts": []any{}, "total": nil}, "receivedBytes": []any{
				object{"from": 10.0, "to": 19.0, "total": 40.0}, object{"from": 30.0, "to": 39.0, "total": 40.0},
			},
		}})
		whole := plant("whole", 0, 0)
		exec(t, d, `UPDATE videos SET ingest = 1, source_size = 10 WHERE id = $1`, whole)
		wantStatus(s, whole, object{"encoding": none, "ingest": object{
			"status": "uploaded", "filesize": 10.0, "receivedBytes": []any{}, "receivedParts": object{"parts": []any{}, "total": nil},
		}})
	})
}

func TestStatusOfAnEncoding(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := s.newVideo("x")
		media, err := json.Marshal(ffmpeg.Media{
			Duration: 6040 * time.Millisecond, Bitrate: 1_234_567,
			Video: &ffmpeg.VideoStream{Codec: "h264", Width: 1280, Height: 720, FrameRate: ffmpeg.Rate{Num: 30000, Den: 1001}},
			Audio: &ffmpeg.AudioStream{Codec: "aac", SampleRate: 48000},
		})
		if err != nil {
			t.Fatal(err)
		}
		exec(t, d, `UPDATE videos SET ingest = 3 WHERE id = $1`, id)
		exec(t, d, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
			VALUES ($1, 1, TRUE, $2, '', '', '', 0, 0)`, id, string(media))
		exec(t, d, `INSERT INTO video_qualities (video_id, type, height, status)
			VALUES ($1, 'mp4', 240, 'waiting'), ($1, 'hls', 720, 'encoding'), ($1, 'hls', 240, 'encoded')`, id)
		got := s.call("GET", "/videos/"+id+"/status", nil).want(200)
		wantField(t, got["ingest"].(object), "status", "ingested")
		wantField(t, got, "encoding", object{
			"playable": true,
			"qualities": []any{
				object{"type": "hls", "quality": "240p", "status": "encoded"}, object{"type": "hls", "quality": "720p", "status": "encoding"},
				object{"type": "mp4", "quality": "240p", "status": "waiting"},
			},
			"metadata": object{
				"width": 1280.0, "height": 720.0, "bitrate": 1234.567, "duration": 6.0, "framerate": 30.0, "samplerate": 48000.0,
				"videoCodec": "h264", "audioCodec": "aac", "aspectRatio": "16/9",
			},
		})
		status, err := newClient(s).Videos.GetStatus(id)
		if err != nil || status.Encoding.Metadata.GetDuration() != 6 || len(status.Encoding.GetQualities()) != 3 {
			t.Errorf("got %+v, %v want the official client to read it", status, err)
		}
	})
}

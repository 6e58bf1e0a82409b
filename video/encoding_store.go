package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// encoding is what is known of the source of a video and made of it.
type encoding struct {
	state    encodingState
	playable bool
	media    ffmpeg.Media
	plan     encode.Plan // without renditions if there is none
	problem  string      // why it failed, for people
}

type encodingState int

const (
	encodingWaiting encodingState = iota
	encodingRunning
	encodingDone
	encodingFailed // what was made until then stays

	// encodingEnded is the state from which on nothing is encoded any more.
	encodingEnded = encodingDone
)

// chunkSegments is what is stored of a chunk or of the sound, in its row as JSON.
type chunkSegments struct {
	Codecs   map[string]string        `json:"codecs,omitempty"` // by track; chunk 0 and the sound have them
	Segments map[string][]keptSegment `json:"segments"`         // by track, in order, of every track as many
}

// keptSegment is a file of a track. The rest of its fields is for recordings.
type keptSegment struct {
	Duration   int64 `json:"d"`           // units of the plan's clock for the track
	Bytes      int64 `json:"b"`           // 0: there is none, a gap
	FirstFrame int64 `json:"f,omitempty"` // how many of these show the first picture; 0: it begins in the middle

	Head  int    `json:"h,omitempty"` // number of the head that it needs
	Break bool   `json:"x,omitempty"` // it does not go on from the one before
	Track string `json:"t,omitempty"` // whose file it is, if not of its own
}

// soundChunk is the number of the chunk that is the sound of the whole video.
const soundChunk = -1

var (
	errGone = errors.New("the video was deleted")
	errOver = errors.New("the work is done, or somebody else does it")
)

// lockThere reads a video in any state but deleted, or answers errGone, and keeps it
// from changing until the transaction ends. Who changes an encoding does so behind it.
func (s *Service) lockThere(ctx context.Context, tx *db.Tx, id string) (*video, error) {
	return scanThere(ctx, tx, id, s.db.ForUpdate())
}

// findThere is lockThere without the lock.
func (s *Service) findThere(ctx context.Context, id string) (*video, error) {
	return scanThere(ctx, s.db, id, "")
}

func scanThere(ctx context.Context, from reader, id, lock string) (*video, error) {
	v, err := scanVideo(from.QueryRow(ctx, `SELECT `+videoColumns+` FROM videos WHERE id = $1 AND state <> $2`+lock, id, videoDeleted))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errGone
	}
	return v, err
}

// findEncoding reads the encoding of a video; sql.ErrNoRows says that it has none yet.
func findEncoding(ctx context.Context, from reader, id string) (e encoding, err error) {
	var media, plan string
	err = from.QueryRow(ctx, `SELECT state, playable, media, plan, problem FROM video_encodings WHERE video_id = $1`, id).
		Scan(&e.state, &e.playable, &media, &plan, &e.problem)
	if err == nil && media != "" {
		err = json.Unmarshal([]byte(media), &e.media)
	}
	if err == nil && plan != "" {
		err = json.Unmarshal([]byte(plan), &e.plan)
	}
	if err != nil {
		return e, fmt.Errorf("encoding of %s: %w", id, err)
	}
	return e, nil
}

// insertEncoding stores what is to be made of a source, and tells whether it was the
// first to do so.
func insertEncoding(ctx context.Context, tx *db.Tx, v *video, e encoding) (first bool, err error) {
	result, err := tx.Exec(ctx, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
		VALUES ($1, $2, $3, $4, $5, '', '', 0, $6) ON CONFLICT (video_id) DO NOTHING`,
		v.id, encodingWaiting, false, asJSON(e.media), asJSON(e.plan), db.Micros(time.Now()))
	if err := changedOne(result, err, errOver); err != nil {
		if errors.Is(err, errOver) {
			return false, nil
		}
		return false, err
	}
	for _, r := range e.plan.Renditions {
		if err := insertQuality(ctx, tx, v.id, qualityHLS, heightOf(r), qualityWaiting); err != nil {
			return false, err
		}
	}
	if v.mp4 {
		if err := insertQuality(ctx, tx, v.id, qualityMP4, heightOf(e.plan.Renditions[0]), qualityWaiting); err != nil {
			return false, err
		}
	}
	chunks := e.plan.Chunks()
	for n := soundChunk; n < chunks; n++ {
		if n == soundChunk && e.plan.Audio < 0 {
			continue
		}
		_, err := tx.Exec(ctx, `INSERT INTO video_chunks (video_id, number, run, kept, done, segments) VALUES ($1, $2, 0, 0, $3, '')`, v.id, n, false)
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// Types and states of qualities, as the API has them.
const (
	qualityHLS = "hls"
	qualityMP4 = "mp4"

	qualityWaiting  = "waiting"
	qualityEncoding = "encoding"
	qualityEncoded  = "encoded"
	qualityFailed   = "failed"
)

func insertQuality(ctx context.Context, tx *db.Tx, id, kind string, height int, status string) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_qualities (video_id, type, height, status) VALUES ($1, $2, $3, $4)
		ON CONFLICT (video_id, type, height) DO UPDATE SET status = excluded.status`, id, kind, height, status)
	return err
}

// heightOf is the number in the name of a rendition. Sound alone counts as the lowest.
func heightOf(r encode.Rendition) int {
	if r.Name == encode.AudioTrack {
		return lowestHeight
	}
	height, err := strconv.Atoi(strings.TrimSuffix(r.Name, "p"))
	if err != nil {
		panic(err) // the names are ours
	}
	return height
}

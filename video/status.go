package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/pieces"
)

// jsonStatus is how far a video has come, as the API shows it.
type jsonStatus struct {
	Ingest   jsonIngest   `json:"ingest"`
	Encoding jsonEncoding `json:"encoding"`
}

type jsonIngest struct {
	Status        string                 `json:"status"`
	Filesize      *int64                 `json:"filesize"` // bytes, once known
	ReceivedBytes []pieces.ReceivedBytes `json:"receivedBytes"`
	ReceivedParts pieces.ReceivedParts   `json:"receivedParts"`
}

type jsonEncoding struct {
	Playable  bool          `json:"playable"`
	Qualities []jsonQuality `json:"qualities"`
	Metadata  jsonMedia     `json:"metadata"`
	Problem   string        `json:"problem,omitempty"` // why it failed, for people; ours alone
}

type jsonQuality struct {
	Type    string `json:"type"`
	Quality string `json:"quality"`
	Status  string `json:"status"`
}

// jsonMedia is what the source is. Clients read most of it into integers.
type jsonMedia struct {
	Width       *int     `json:"width"`
	Height      *int     `json:"height"`
	Bitrate     *float64 `json:"bitrate"`  // kbit/s
	Duration    *int64   `json:"duration"` // seconds
	Framerate   *int64   `json:"framerate"`
	Samplerate  *int     `json:"samplerate"`
	VideoCodec  *string  `json:"videoCodec"`
	AudioCodec  *string  `json:"audioCodec"`
	AspectRatio *string  `json:"aspectRatio"`
}

// videoStatus tells how far a video has come, at one moment.
func (s *Service) videoStatus(ctx context.Context, project, id string) (status jsonStatus, err error) {
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		v, err := s.findVideo(ctx, tx, project, id)
		if err != nil {
			return err
		}
		if status.Ingest, err = readIngest(ctx, tx, v); err != nil {
			return err
		}
		status.Encoding, err = readEncoding(ctx, tx, id)
		return err
	})
	return status, err
}

var ingestWords = map[ingestState]string{
	ingestOpen: "uploading", ingestUploaded: "uploaded", ingestRunning: "ingesting", ingestDone: "ingested",
}

func readIngest(ctx context.Context, from reader, v *video) (jsonIngest, error) {
	received := pieces.State{Form: pieces.Form(v.source.form), Total: v.source.total}
	err := eachRow(ctx, from, func(rows *sql.Rows) error {
		var p pieces.Piece
		err := rows.Scan(&p.At, &p.Size)
		received.Pieces = append(received.Pieces, p)
		return err
	}, `SELECT number, size FROM video_parts WHERE video_id = $1 ORDER BY number`, v.id)
	ingest := jsonIngest{
		Status: ingestWords[v.source.ingest], ReceivedBytes: received.ReceivedBytes(), ReceivedParts: received.ReceivedParts(),
	}
	size := v.source.size
	if v.source.form == string(pieces.Bytes) {
		size = v.source.total
	}
	if size > 0 {
		ingest.Filesize = &size
	}
	return ingest, err
}

func readEncoding(ctx context.Context, from reader, id string) (jsonEncoding, error) {
	e := jsonEncoding{Qualities: []jsonQuality{}}
	var media string
	err := from.QueryRow(ctx, `SELECT playable, media, problem FROM video_encodings WHERE video_id = $1`, id).Scan(&e.Playable, &media, &e.Problem)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return e, err
	}
	if media != "" {
		var m ffmpeg.Media
		if err := json.Unmarshal([]byte(media), &m); err != nil {
			return e, fmt.Errorf("media of %s: %w", id, err)
		}
		e.Metadata = showMedia(m)
	}
	return e, eachRow(ctx, from, func(rows *sql.Rows) error {
		var q jsonQuality
		var height int
		err := rows.Scan(&q.Type, &height, &q.Status)
		q.Quality = fmt.Sprintf("%dp", height)
		e.Qualities = append(e.Qualities, q)
		return err
	}, `SELECT type, height, status FROM video_qualities WHERE video_id = $1 ORDER BY type, height`, id)
}

// showMedia leaves out what is not known.
func showMedia(m ffmpeg.Media) (shown jsonMedia) {
	if m.Duration > 0 {
		shown.Duration = new(int64(m.Duration.Round(time.Second) / time.Second))
	}
	if m.Bitrate > 0 {
		shown.Bitrate = new(float64(m.Bitrate) / 1000)
	}
	if v := m.Video; v != nil {
		shown.Width, shown.Height, shown.VideoCodec = &v.Width, &v.Height, &v.Codec
		if v.FrameRate.Num > 0 && v.FrameRate.Den > 0 {
			shown.Framerate = new(int64(math.Round(v.FrameRate.Float())))
		}
		if divisor := gcd(v.Width, v.Height); divisor > 0 {
			shown.AspectRatio = new(fmt.Sprintf("%d/%d", v.Width/divisor, v.Height/divisor))
		}
	}
	if a := m.Audio; a != nil {
		shown.AudioCodec = &a.Codec
		if a.SampleRate > 0 {
			shown.Samplerate = &a.SampleRate
		}
	}
	return shown
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

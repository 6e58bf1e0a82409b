package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/encode"
)

// playback is all that viewers are shown of a video, as it was at one moment. It is
// shared by them and never changed.
type playback struct {
	*video
	encoding encoding // without a plan if there is none yet
	hasMP4   bool
	board    storyboard // without pictures until it is made
	captions []track
	chapters []track
	theme    *theme // nil: the usual look

	segments map[string][]keptSegment // by track, in order, without a gap
	codecs   map[string]string        // by track
	settled  settled

	texts   sync.Map     // playlists for everybody, by address
	checked atomic.Int64 // when this was last known to be so, nanoseconds since 1970
}

// settled is the part of the segments that will never change: so the next reading of a
// video that grows needs only the rest.
type settled struct {
	chunks   int // leading ones that are done
	segments int // of every rendition, in these chunks
}

// ended tells whether no more segments will come.
func (p *playback) ended() bool { return p.encoding.state >= encodingEnded }

// readPlayback reads a video that is there, or answers errNoVideo. What the playback
// before it has of the segments is taken over.
func (s *Service) readPlayback(ctx context.Context, id string, before *playback) (p *playback, err error) {
	checked := time.Now()
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		v, err := scanVideo(tx.QueryRow(ctx, `SELECT `+videoColumns+` FROM videos WHERE id = $1 AND state = $2`, id, videoThere))
		if errors.Is(err, sql.ErrNoRows) {
			return errNoVideo
		}
		if err != nil {
			return err
		}
		p = &playback{video: v, segments: map[string][]keptSegment{}, codecs: map[string]string{}}
		for _, read := range []func(context.Context, *db.Tx) error{p.readEncoding, p.readTracks, p.readTheme} {
			if err := read(ctx, tx); err != nil {
				return err
			}
		}
		return p.readSegments(ctx, tx, before)
	})
	if err != nil {
		return nil, err
	}
	p.checked.Store(checked.UnixNano())
	return p, nil
}

func (p *playback) readEncoding(ctx context.Context, tx *db.Tx) error {
	var err error
	p.encoding, err = findEncoding(ctx, tx, p.id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var board string
	var size int64
	err = tx.QueryRow(ctx, `SELECT storyboard, mp4_size FROM video_encodings WHERE video_id = $1`, p.id).Scan(&board, &size)
	if err == nil && board != "" {
		err = json.Unmarshal([]byte(board), &p.board)
	}
	p.hasMP4 = p.mp4 && size > 0
	return err
}

func (p *playback) readTracks(ctx context.Context, tx *db.Tx) error {
	return eachRow(ctx, tx, func(rows *sql.Rows) error {
		var kind trackKind
		var t track
		if err := rows.Scan(&kind, &t.language, &t.isDefault, &t.blob); err != nil {
			return err
		}
		if kind == captions {
			p.captions = append(p.captions, t)
		} else {
			p.chapters = append(p.chapters, t)
		}
		return nil
	}, `SELECT kind, language, is_default, blob FROM video_tracks WHERE video_id = $1 ORDER BY language`, p.id)
}

func (p *playback) readTheme(ctx context.Context, tx *db.Tx) error {
	if p.playerID == "" {
		return nil
	}
	t, err := oneTheme(ctx, tx, p.project, p.playerID, "")
	if errors.Is(err, errNoTheme) {
		return nil
	}
	p.theme = &t
	return err
}

// readSegments reads the chunks, up to the first that is not done.
func (p *playback) readSegments(ctx context.Context, tx *db.Tx, before *playback) error {
	if before != nil {
		p.settled, p.codecs = before.settled, before.codecs
		for track, segments := range before.segments {
			if track != encode.AudioTrack {
				p.segments[track] = slices.Clip(segments[:before.settled.segments])
			}
		}
	}
	gap := false
	return eachRow(ctx, tx, func(rows *sql.Rows) error {
		var number int
		var done bool
		var text string
		if err := rows.Scan(&number, &done, &text); err != nil {
			return err
		}
		if gap || text == "" {
			gap = gap || number != soundChunk
			return nil
		}
		var kept chunkSegments
		if err := json.Unmarshal([]byte(text), &kept); err != nil {
			return fmt.Errorf("chunk %d of %s: %w", number, p.id, err)
		}
		p.add(kept)
		if number != soundChunk && done {
			p.settled = settled{number + 1, len(p.segments[p.encoding.plan.Renditions[0].Name])}
		}
		gap = number != soundChunk && !done
		return nil
	}, `SELECT number, done, segments FROM video_chunks WHERE video_id = $1 AND (number = $2 OR number >= $3) ORDER BY number`,
		p.id, soundChunk, p.settled.chunks)
}

// add takes what a chunk has. The codecs may be shared with the playback before.
func (p *playback) add(kept chunkSegments) {
	for track, segments := range kept.Segments {
		p.segments[track] = append(p.segments[track], segments...)
	}
	codecs := map[string]string{}
	for _, known := range []map[string]string{p.codecs, kept.Codecs} {
		maps.Copy(codecs, known)
	}
	p.codecs = codecs
}

// hasTrack tells whether something was made for a rendition or the sound.
func (p *playback) hasTrack(name string) bool {
	_, found := p.segments[name]
	return found && (name != encode.AudioTrack || p.encoding.plan.Audio >= 0)
}

// weight is about how many segments fit in the memory of the playback.
func (p *playback) weight() uint32 {
	n := 100 + 10*(len(p.captions)+len(p.chapters))
	for _, segments := range p.segments {
		n += len(segments)
	}
	return uint32(n)
}

package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/video/internal/encode"
	"stoa/video/internal/webhook"
)

// sourceLive is a video that was broadcast, in source.kind.
const sourceLive = "liveStream"

// record makes the recording of a broadcast that has ended, once. It can be played at
// once: its files are those that were broadcast. Nothing is made of a broadcast of which
// no segment is stored.
func (s *Service) record(ctx context.Context, tx *db.Tx, id string) error {
	b, err := s.lockBroadcast(ctx, tx, `id = $1 AND ended AND NOT recorded`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	heads, err := readHeads(ctx, tx, id)
	if err != nil {
		return err
	}
	segments, err := readLiveSegments(ctx, tx, id, 0)
	if err != nil {
		return err
	}
	if len(segments) == 0 && b.started == 0 {
		return s.dropBroadcast(ctx, tx, b)
	}
	_, err = tx.Exec(ctx, `UPDATE live_broadcasts SET recorded = TRUE, version = version + 1,
		started_at = CASE WHEN started_at = 0 THEN ended_at ELSE started_at END WHERE id = $1`, id)
	if err != nil {
		return err
	}
	if b.started == 0 { // it was ended before its beginning was stored
		for _, event := range []string{webhook.BroadcastStarted, webhook.BroadcastEnded} {
			if err := s.emit(ctx, tx, b.project, webhook.Event{Type: event, LiveStreamID: b.streamID}); err != nil {
				return err
			}
		}
	}
	var longest time.Duration
	if s.sandbox() {
		longest = sandboxDuration
	}
	r := foldBroadcast(heads, segments, longest)
	if len(r.plan.Renditions) == 0 {
		return s.addRemoval(ctx, tx, b.videoID)
	}
	return s.insertRecording(ctx, tx, b, r)
}

// insertRecording makes the video, and has the rest made of it.
func (s *Service) insertRecording(ctx context.Context, tx *db.Tx, b broadcastRow, r recording) error {
	v := s.newVideo(b.project)
	v.id, v.title, v.public, v.liveStreamID = b.videoID, b.title, b.public, b.streamID
	v.source = source{kind: sourceLive, ingest: ingestDone, size: r.size}
	err := tx.QueryRow(ctx, `SELECT id FROM video_players WHERE id = $1 AND project = $2`, b.playerID, b.project).Scan(&v.playerID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) { // it may be gone
		return err
	}
	if err := insertVideo(ctx, tx, v); err != nil {
		return err
	}
	if err := insertRecorded(ctx, tx, v, r); err != nil {
		return err
	}
	if err := s.emit(ctx, tx, v.project, webhook.Event{Type: webhook.SourceRecorded, VideoID: v.id, LiveStreamID: v.liveStreamID}); err != nil {
		return err
	}
	for _, rendition := range r.plan.Renditions {
		if err := s.emitQuality(ctx, tx, v, qualityHLS, heightOf(rendition)); err != nil {
			return err
		}
	}
	for _, args := range []jobs.Args{thumbnailArgs{v.id}, storyboardArgs{v.id}, mp4Args{v.id}} {
		if err := s.Queue.Add(ctx, tx, args, jobs.Priority(priorityRest)); err != nil {
			return err
		}
	}
	return nil
}

// recordedChunk is how many segments a chunk of a recording has.
const recordedChunk = 500

// insertRecorded writes what is there of a recording: everything.
func insertRecorded(ctx context.Context, tx *db.Tx, v *video, r recording) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_encodings (video_id, state, playable, media, plan, problem, storyboard, mp4_size, updated_at)
		VALUES ($1, $2, TRUE, $3, $4, '', '', 0, $5)`, v.id, encodingDone, asJSON(r.media), asJSON(r.plan), v.created)
	if err != nil {
		return err
	}
	for _, rendition := range r.plan.Renditions {
		if err := insertQuality(ctx, tx, v.id, qualityHLS, heightOf(rendition), qualityEncoded); err != nil {
			return err
		}
	}
	if err := insertQuality(ctx, tx, v.id, qualityMP4, heightOf(r.plan.Renditions[0]), qualityWaiting); err != nil {
		return err
	}
	if sound := r.segments[encode.AudioTrack]; len(sound) > 0 {
		kept := chunkSegments{Codecs: r.codecs, Segments: map[string][]keptSegment{encode.AudioTrack: sound}}
		if err := insertChunk(ctx, tx, v.id, soundChunk, len(sound), kept); err != nil {
			return err
		}
	}
	for n := 0; n*recordedChunk < r.pictures; n++ {
		from, to := n*recordedChunk, min((n+1)*recordedChunk, r.pictures)
		kept := chunkSegments{Segments: map[string][]keptSegment{}}
		if n == 0 {
			kept.Codecs = r.codecs
		}
		for track, segments := range r.segments {
			if track != encode.AudioTrack {
				kept.Segments[track] = segments[from:to]
			}
		}
		if err := insertChunk(ctx, tx, v.id, n, to-from, kept); err != nil {
			return err
		}
	}
	return nil
}

func insertChunk(ctx context.Context, tx *db.Tx, id string, number, kept int, segments chunkSegments) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_chunks (video_id, number, run, kept, done, segments) VALUES ($1, $2, 1, $3, TRUE, $4)`,
		id, number, kept, asJSON(segments))
	return err
}

package video

import (
	"context"
	"strings"

	"stoa/internal/db"
)

// EncodeChunk is one turn of the job that encodes a chunk.
func (s *Service) EncodeChunk(ctx context.Context, id string, number int) error {
	return s.encodeChunk(ctx, chunkArgs{id, number})
}

// MakeStoryboard is one try of the job that makes the sheets.
func (s *Service) MakeStoryboard(ctx context.Context, id string) error {
	return s.makeStoryboard(ctx, storyboardArgs{id})
}

// PlantSource gives a video a source, as an upload would, and has it ingested.
func (s *Service) PlantSource(ctx context.Context, id string, parts ...string) error {
	var size int64
	for i, content := range parts {
		key := videoFolder(id) + "source/" + newID("")
		if _, err := s.Blobs.Put(ctx, key, strings.NewReader(content), ""); err != nil {
			return err
		}
		err := s.db.InTx(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec(ctx, `INSERT INTO video_parts (video_id, number, size, blob) VALUES ($1, $2, $3, $4)`, id, i+1, len(content), key)
			return err
		})
		if err != nil {
			return err
		}
		size += int64(len(content))
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE videos SET source_type = 'upload', upload_form = 'part', upload_total = $2, ingest = 1, source_size = $3 WHERE id = $1`,
			id, len(parts), size)
		if err != nil {
			return err
		}
		return s.Queue.Add(ctx, tx, ingestArgs{id})
	})
}

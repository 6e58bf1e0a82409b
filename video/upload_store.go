package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/pieces"
	"stoa/video/internal/problem"
)

// errNoRecipient is the answer to a form that names no video of the project.
var errNoRecipient = problem.All(problem.Attribute("videoId", "There is no video with this id: give one of the token's project, or none."))

// receivedOf is what has come of the source of a video that is being uploaded.
func receivedOf(ctx context.Context, from reader, v *video) (*pieces.State, error) {
	if err := v.source.open(); err != nil {
		return nil, err
	}
	parts, err := readParts(ctx, from, v.id)
	if err != nil {
		return nil, err
	}
	received := &pieces.State{Form: pieces.Form(v.source.form), Total: v.source.total}
	for _, p := range parts {
		received.Pieces = append(received.Pieces, pieces.Piece{At: p.number, Size: p.size})
	}
	return received, nil
}

// updateSource stores what has become of the source of a video.
func updateSource(ctx context.Context, tx *db.Tx, v *video) error {
	_, err := tx.Exec(ctx, `UPDATE videos SET source_type = $2, ingest = $3, upload_form = $4, upload_total = $5,
		upload_token = $6, upload_name = $7, source_size = $8 WHERE id = $1`,
		v.id, v.source.kind, v.source.ingest, v.source.form, v.source.total, v.source.token, v.source.name, v.source.size)
	return err
}

// recipient locks the video that a file is for, and makes it if there is none yet.
func (s *Service) recipient(ctx context.Context, tx *db.Tx, u upload) (*video, error) {
	id, err := s.recipientID(ctx, tx, u)
	if err != nil {
		return nil, err
	}
	if id == "" {
		return s.newRecipient(ctx, tx, u)
	}
	v, err := s.lockVideo(ctx, tx, u.project, id)
	if u.token != "" && errors.Is(err, errNoVideo) {
		return nil, errNoRecipient
	}
	if err == nil && u.token != "" && v.source.form == "" { // the first piece
		v.source.token, v.source.name = u.token, u.name
	}
	return v, err
}

func (s *Service) newRecipient(ctx context.Context, tx *db.Tx, u upload) (*video, error) {
	v := s.newVideo(u.project)
	v.title = u.title
	v.source.token, v.source.name = u.token, u.name
	return v, insertVideo(ctx, tx, v)
}

// recipientID is the video that a file is for, or "". Some clients do not name the video
// in the later pieces of a file: those belong to the only unfinished upload with the
// same token, name and total.
func (s *Service) recipientID(ctx context.Context, from reader, u upload) (string, error) {
	if u.videoID != "" || u.span == nil || u.span.Part == 1 || u.span.Form == pieces.Bytes && u.span.From == 0 {
		return u.videoID, nil
	}
	var ids []string
	err := eachRow(ctx, from, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	}, `SELECT id FROM videos WHERE upload_token = $1 AND upload_name = $2 AND project = $3 AND state = $4 AND ingest = $5
		AND upload_form = $6 AND (upload_total = $7 OR upload_total = 0 OR $7 = 0) LIMIT 2`,
		u.token, u.name, u.project, videoThere, ingestOpen, string(u.span.Form), u.span.Total)
	if err != nil || len(ids) != 1 {
		return "", err
	}
	return ids[0], nil
}

// admitDelegated is admit for a file whose video the form may still name behind it. So
// without a name only the span itself can be judged.
func (s *Service) admitDelegated(ctx context.Context, u upload) error {
	if u.videoID == "" && u.span == nil {
		return nil
	}
	if u.videoID == "" {
		return new(pieces.State).Admit(*u.span)
	}
	v, err := s.findVideo(ctx, s.db, u.project, u.videoID)
	if errors.Is(err, errNoVideo) {
		return errNoRecipient
	}
	if err != nil {
		return err
	}
	return s.admit(ctx, v, u.span)
}

// projectOfToken is whose uploads a token allows, if it has not ended.
func (s *Service) projectOfToken(ctx context.Context, token string) (project string, err error) {
	if token == "" {
		return "", problem.MissingUploadToken
	}
	if !isID(uploadTokenPrefix, token) {
		return "", problem.InvalidUploadToken
	}
	err = s.db.QueryRow(ctx, `SELECT project FROM video_upload_tokens WHERE token = $1 AND (expires_at = 0 OR expires_at > $2)`,
		token, db.Micros(time.Now())).Scan(&project)
	if errors.Is(err, sql.ErrNoRows) {
		err = problem.InvalidUploadToken
	}
	return project, err
}

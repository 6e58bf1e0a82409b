package video

import (
	"context"
	"fmt"
	"slices"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// Bounds of what a video is labelled with. Lengths are in characters.
const (
	maxTags     = 100
	maxTag      = 255
	maxMetadata = 100
	maxKey      = 255
	maxValue    = 10_000
)

// readTags replaces the tags of a video by those of a body. One that is given twice
// counts once.
func readTags(f fields, v *video) []*problem.Error {
	if !f.has("tags") {
		return nil
	}
	var given []string
	if p := f.read("tags", &given, wantTexts); p != nil {
		return []*problem.Error{p}
	}
	if len(given) > maxTags {
		return []*problem.Error{problem.Attribute("tags", "There are %d tags: give at most %d.", len(given), maxTags)}
	}
	var problems []*problem.Error
	v.tags = nil
	for i, tag := range given {
		problems = append(problems, checkText(fmt.Sprintf("tags[%d]", i), tag, 1, maxTag))
		if !slices.Contains(v.tags, tag) {
			v.tags = append(v.tags, tag)
		}
	}
	return problems
}

// readMetadata replaces the metadata of a video by those of a body. Of a key that is
// given twice the last value counts.
func readMetadata(f fields, v *video) []*problem.Error {
	if !f.has("metadata") {
		return nil
	}
	var given []pair
	if p := f.read("metadata", &given, "a list of objects with a key and a value, both strings"); p != nil {
		return []*problem.Error{p}
	}
	if len(given) > maxMetadata {
		return []*problem.Error{problem.Attribute("metadata", "There are %d entries: give at most %d.", len(given), maxMetadata)}
	}
	var problems []*problem.Error
	v.metadata = nil
	for i, p := range given {
		problems = append(problems,
			checkText(fmt.Sprintf("metadata[%d][key]", i), p.Key, 1, maxKey),
			checkText(fmt.Sprintf("metadata[%d][value]", i), p.Value, 0, maxValue))
		at := slices.IndexFunc(v.metadata, func(had pair) bool { return had.Key == p.Key })
		if at < 0 {
			v.metadata = append(v.metadata, p)
		} else {
			v.metadata[at].Value = p.Value
		}
	}
	return problems
}

func writeTags(ctx context.Context, tx *db.Tx, v *video) error {
	if _, err := tx.Exec(ctx, `DELETE FROM video_tags WHERE video_id = $1`, v.id); err != nil {
		return err
	}
	for i, tag := range v.tags {
		_, err := tx.Exec(ctx, `INSERT INTO video_tags (video_id, tag, tag_key, position) VALUES ($1, $2, $3, $4)`,
			v.id, tag, foldAccents(tag), i)
		if err != nil {
			return err
		}
	}
	return nil
}

func writeMetadata(ctx context.Context, tx *db.Tx, v *video) error {
	if _, err := tx.Exec(ctx, `DELETE FROM video_metadata WHERE video_id = $1`, v.id); err != nil {
		return err
	}
	for i, p := range v.metadata {
		_, err := tx.Exec(ctx, `INSERT INTO video_metadata (video_id, key, value, position) VALUES ($1, $2, $3, $4)`,
			v.id, p.Key, p.Value, i)
		if err != nil {
			return err
		}
	}
	return nil
}

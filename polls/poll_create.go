package polls

import (
	"context"
	"fmt"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/postform"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// newPoll is what somebody asks, in normal form.
type newPoll struct {
	caption     string
	choice      [2]string
	private     bool
	contentType string // of the image to come
	tags        []string
}

// readNewPoll reads the parameters that make a poll.
func readNewPoll(p *wire.Params) (n newPoll, err error) {
	if n.caption, err = readText(p, "caption", text.Caption); err != nil {
		return n, err
	}
	if n.choice[0], err = readText(p, "choice1", text.Choice); err != nil {
		return n, err
	}
	if n.choice[1], err = readText(p, "choice2", text.Choice); err != nil {
		return n, err
	}
	if err := text.Distinct(n.choice[0], n.choice[1]); err != nil {
		return n, refuseText("choice2", err)
	}
	if n.private, _, err = p.Bool("private"); err != nil {
		return n, err
	}
	if n.contentType, err = readContentType(p, "image/jpeg"); err != nil {
		return n, err
	}
	tags, _, err := p.Strings("tags")
	if err != nil {
		return n, err
	}
	n.tags, err = text.Tags(tags, n.caption)
	return n, refuseText("tags", err)
}

func readText(p *wire.Params, name string, normal func(string) (string, error)) (string, error) {
	typed, err := p.NeedString(name)
	if err != nil {
		return "", err
	}
	return needText(name, typed, normal)
}

// readContentType is the type of the image that the caller is going to upload.
func readContentType(p *wire.Params, otherwise string) (string, error) {
	s, given, err := p.String("image_content_type")
	if err != nil || !given {
		return otherwise, err
	}
	if s = strings.ToLower(strings.TrimSpace(s)); !postform.Accepts(s) {
		return "", wire.Errorf(wire.ImageInvalid, "image_content_type", "image_content_type must be image/jpeg, image/png, image/gif or image/webp")
	}
	return s, nil
}

// createPoll makes a poll that waits for its image, and the form to upload it with.
func (s *Service) createPoll(ctx context.Context, by *account, n newPoll) (*poll, postform.Form, error) {
	if err := by.mayPublish(); err != nil {
		return nil, postform.Form{}, err
	}
	p := &poll{caption: n.caption, choice: n.choice, created: time.Now(), by: by.person}
	p.creator, p.private, p.version = by.id, n.private, 1
	var key string
	err := s.change(ctx, func(c *change) (err error) {
		if err := s.lockWriter(ctx, c, by.id); err != nil {
			return err
		}
		if p.id, err = s.nextID(ctx, c, "poll_ids"); err != nil {
			return err
		}
		if p.imageID, err = s.nextID(ctx, c, "image_ids"); err != nil {
			return err
		}
		key = newUploadKey(p.id, n.contentType)
		if err := insertPoll(ctx, c.Tx, p, key, n.contentType); err != nil {
			return err
		}
		return s.tagPoll(ctx, c, p.id, n.tags)
	})
	if err != nil {
		return nil, postform.Form{}, err
	}
	return p, s.uploadForm(key, n.contentType), nil
}

func (s *Service) nextID(ctx context.Context, c *change, sequence string) (int64, error) {
	ids, err := s.db.NextIDs(ctx, c.Tx, sequence, 1)
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

func insertPoll(ctx context.Context, tx *db.Tx, p *poll, uploadKey, uploadType string) error {
	_, err := tx.Exec(ctx, `INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
		second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type,
		medium_width, medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url,
		second_context_url, created_at, ready_at, deleted_at)
		VALUES ($1, $2, 0, $3, $4, $5, $6, $7, 0, 0, 0, 0, 0, $8, $9, $10, '', '', 0, 0, 0, 0, '', '', '', '', $11, 0, 0)`,
		p.id, p.version, p.creator, p.caption, p.choice[0], p.choice[1], p.private, p.imageID, uploadKey, uploadType, db.Micros(p.created))
	if err != nil {
		return fmt.Errorf("store poll: %w", err)
	}
	return nil
}

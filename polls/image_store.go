package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
)

// showPoll makes a poll ready, if the file that its thumbnails were made of is
// still the last one that was uploaded.
func (s *Service) showPoll(ctx context.Context, d *draft, i image, sources [2]imageSource) (shown bool, err error) {
	err = s.change(ctx, func(c *change) error {
		now, err := readDraft(ctx, c, d.id, s.db.ForUpdate())
		if err != nil || now == nil || now.state != pollWithoutImage || now.uploadFile != d.uploadFile {
			return err
		}
		shown = true
		if _, err := c.Exec(ctx, `UPDATE polls SET state = $1, ready_at = $2, picture = $3, picture_type = $4,
			medium_width = $5, medium_height = $6, large_width = $7, large_height = $8,
			first_full_url = $9, first_context_url = $10, first_public_domain = $11,
			second_full_url = $12, second_context_url = $13, second_public_domain = $14 WHERE id = $15`,
			pollReady, db.Micros(time.Now()), i.name, i.contentType, i.medium.width, i.medium.height, i.large.width, i.large.height,
			sources[0].fullURL, sources[0].contextURL, sources[0].publicDomain,
			sources[1].fullURL, sources[1].contextURL, sources[1].publicDomain, d.id); err != nil {
			return fmt.Errorf("show poll %d: %w", d.id, err)
		}
		if !d.private {
			c.mark(markFeed)
		}
		return c.touch(ctx, d.id)
	})
	return shown && err == nil, err
}

// dropUpload forgets an uploaded file, unless another one has taken its place.
func (s *Service) dropUpload(ctx context.Context, d *draft) (dropped bool, err error) {
	err = s.change(ctx, func(c *change) error {
		result, err := c.Exec(ctx, "UPDATE polls SET upload_file = '' WHERE id = $1 AND state = 0 AND upload_file = $2", d.id, d.uploadFile)
		if err != nil {
			return fmt.Errorf("forget the upload of poll %d: %w", d.id, err)
		}
		n, err := result.RowsAffected()
		dropped = n > 0
		return err
	})
	if err == nil && dropped {
		s.dropFiles(ctx, d.uploadFile)
	}
	return dropped && err == nil, err
}

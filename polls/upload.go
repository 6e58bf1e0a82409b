package polls

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"strconv"
	"time"

	"stoa/polls/internal/postform"
	"stoa/polls/internal/wire"
)

// uploadBucket is where forms lead to.
const uploadBucket = "uploads"

// uploadLife is how long a form is good.
const uploadLife = time.Hour

// draft is a poll as its creator works on it.
type draft struct {
	pollHead
	imageID               int64
	uploadKey, uploadType string // what the form that was handed out last allows
	uploadFile            string // where the original is kept; empty until there is one
}

// readDraft reads a poll of any state, nil when there is none. The lock is that of
// [db.DB.ForUpdate], or empty.
func readDraft(ctx context.Context, q querier, id int64, lock string) (*draft, error) {
	d := new(draft)
	err := q.QueryRow(ctx, "SELECT "+pollHeadColumns+", image_id, upload_key, upload_type, upload_file FROM polls WHERE id = $1"+lock, id).
		Scan(append(d.targets(), &d.imageID, &d.uploadKey, &d.uploadType, &d.uploadFile)...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read poll %d: %w", id, err)
	}
	return d, nil
}

// newUploadKey is an unguessable name for an upload.
func newUploadKey(poll int64, contentType string) string {
	var random [8]byte
	rand.Read(random[:])
	return postform.ObjectKey(poll, 1, random, contentType)
}

func (s *Service) uploadForm(key, contentType string) postform.Form {
	return s.uploads.Form(key, contentType, time.Now().Add(uploadLife))
}

// uploadFolder is what the names of all originals of a poll begin with, in the
// store.
func uploadFolder(poll int64) string {
	key := postform.ObjectKey(poll, 1, [8]byte{}, "image/jpeg")
	return uploadBucket + "/" + path.Dir(key) + "/" + strconv.FormatInt(poll, 10) + "-"
}

// renewUpload hands out a form for a poll that still waits for its image, with the
// image's number. The type may be empty: as before. Another type needs another
// name, and forms with the old one are refused from then on; what was uploaded with
// them stays until the next upload.
func (s *Service) renewUpload(ctx context.Context, by *account, poll int64, hasKey bool, contentType string) (image int64, form postform.Form, err error) {
	err = s.change(ctx, func(c *change) error {
		d, err := readDraft(ctx, c, poll, s.db.ForUpdate())
		if err != nil {
			return err
		}
		if err := d.mayWorkOn(by, poll, hasKey); err != nil {
			return err
		}
		if d.state != pollWithoutImage {
			return wire.Errorf(wire.AlreadyReady, "", "poll %d has its image already", poll)
		}
		if contentType != "" && contentType != d.uploadType {
			d.uploadKey, d.uploadType = newUploadKey(poll, contentType), contentType
			if _, err := c.Exec(ctx, "UPDATE polls SET upload_key = $1, upload_type = $2 WHERE id = $3", d.uploadKey, d.uploadType, poll); err != nil {
				return fmt.Errorf("renew the form of poll %d: %w", poll, err)
			}
		}
		image, form = d.imageID, s.uploadForm(d.uploadKey, d.uploadType)
		return nil
	})
	return image, form, err
}

// mayWorkOn refuses everybody but the creator.
func (d *draft) mayWorkOn(by *account, poll int64, hasKey bool) error {
	if d == nil || !d.visibleTo(by.id, hasKey) {
		return errPollNotFound(poll)
	}
	if d.creator != by.id {
		return wire.Errorf(wire.Forbidden, "", "only its creator may do this with poll %d", poll)
	}
	return nil
}

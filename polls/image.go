package polls

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/polls/internal/picture"
	"stoa/polls/internal/wire"
)

// imageFolder is where the store keeps thumbnails.
const imageFolder = "images/"

// Thumbnails of a poll are made by one process at a time, which has so long.
const (
	imageLease = time.Minute
	imageLimit = 45 * time.Second
)

// publish makes a poll ready to be seen: it makes the thumbnails of what was
// uploaded. A poll that is ready stays as it is.
func (s *Service) publish(ctx context.Context, by *account, poll int64, hasKey bool, image int64, sources [2]imageSource) error {
	d, err := s.announced(ctx, by, poll, hasKey, image)
	if err != nil || d.state != pollWithoutImage {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, imageLimit)
	defer cancel()
	release, err := s.waitLease(ctx, "image "+strconv.FormatInt(poll, 10), imageLease)
	if err != nil {
		return err
	}
	defer release()
	for { // again only when another file was uploaded meanwhile
		if d, err = s.announced(ctx, by, poll, hasKey, image); err != nil || d.state != pollWithoutImage {
			return err
		}
		if done, err := s.makeReady(ctx, d, sources); done || err != nil {
			return err
		}
	}
}

// announced is the poll whose image is announced, by somebody who may.
func (s *Service) announced(ctx context.Context, by *account, poll int64, hasKey bool, image int64) (*draft, error) {
	d, err := readDraft(ctx, s.db, poll, "")
	if err != nil {
		return nil, err
	}
	switch refusal := d.mayWorkOn(by, poll, hasKey); {
	case refusal != nil:
		return nil, refusal
	case d.imageID != image:
		return nil, wire.Errorf(wire.ImageNotFound, "image_id", "poll %d has no image %d", poll, image)
	case d.state == pollWithoutImage && d.uploadFile == "":
		return nil, wire.Errorf(wire.ImageNotUploaded, "", "the image is not here yet: upload it with the uploadData of poll %d, then call again", poll)
	}
	return d, nil
}

// makeReady makes the thumbnails of the uploaded file and shows the poll. It is not
// done when the file is not the last one any more.
func (s *Service) makeReady(ctx context.Context, d *draft, sources [2]imageSource) (done bool, err error) {
	set, err := s.thumbnails(ctx, d.uploadFile)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		_, err := s.dropUpload(ctx, d)
		return false, err
	case errors.Is(err, fault.Invalid):
		return s.refuseImage(ctx, d, err)
	case err != nil:
		return false, err
	}
	i := image{name: strconv.FormatInt(d.id, 10) + "-" + randomHex(16), contentType: set.Medium.ContentType}
	i.medium, i.large = size{set.Medium.Width, set.Medium.Height}, size{set.Large.Width, set.Large.Height}
	medium, large := imageFolder+i.file("medium"), imageFolder+i.file("large")
	if err = s.putThumb(ctx, medium, set.Medium); err == nil {
		err = s.putThumb(ctx, large, set.Large)
	}
	if err == nil {
		done, err = s.showPoll(ctx, d, i, sources)
	}
	if !done && !errors.Is(err, db.ErrUnknownOutcome) {
		s.dropFiles(ctx, medium, large)
	}
	return done, err
}

func (s *Service) thumbnails(ctx context.Context, file string) (*picture.Set, error) {
	original, err := s.Blobs.Open(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("open upload: %w", err)
	}
	defer original.Close()
	return s.pictures.Make(ctx, original)
}

func (s *Service) putThumb(ctx context.Context, key string, thumb picture.Thumb) error {
	if _, err := s.Blobs.Put(ctx, key, bytes.NewReader(thumb.Data), thumb.ContentType); err != nil {
		return fmt.Errorf("store thumbnail: %w", err)
	}
	return nil
}

// refuseImage drops a file that cannot be shown, so that another can be uploaded.
func (s *Service) refuseImage(ctx context.Context, d *draft, reason error) (done bool, err error) {
	last, err := s.dropUpload(ctx, d)
	if err != nil || !last {
		return false, err
	}
	message := "the file is not an image that can be shown; upload a JPEG, PNG, GIF or WebP file"
	if known, ok := errors.AsType[*fault.Error](reason); ok {
		message = known.Message
	}
	return true, wire.Errorf(wire.ImageInvalid, "", "%s", message)
}

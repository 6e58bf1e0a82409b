package video

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"image/jpeg"

	"stoa/internal/blob"
	"stoa/internal/db"
)

// storyboard says where the small pictures of a video are on its sheets, from left to
// right and from the top down. Picture n is shown from Plan.PictureTime(n) on.
type storyboard struct {
	Width    int `json:"width"` // of a picture
	Height   int `json:"height"`
	Columns  int `json:"columns"`
	PerSheet int `json:"per_sheet"`
	Pictures int `json:"pictures"`
}

const (
	sheetColumns = 10
	sheetQuality = 75 // of 100
)

// makeStoryboard is the job that joins the small pictures of an encoded video into
// sheets, and removes what nobody needs any more. When it is run again because it was
// interrupted there, some of the pictures are gone already: the sheets stay.
func (s *Service) makeStoryboard(ctx context.Context, a storyboardArgs) error {
	return s.onVideo(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		made := false
		err := s.db.QueryRow(ctx, `SELECT storyboard <> '' FROM video_encodings WHERE video_id = $1`, v.id).Scan(&made)
		if err == nil && !made {
			err = s.makeSheets(ctx, v)
		}
		if err != nil {
			return err
		}
		if err := s.removeFolder(ctx, pictureFolder(v.id)); err != nil {
			return err
		}
		return s.removeFolder(ctx, overlayFolder(v.id))
	})
}

// makeSheets makes them and tells of them.
func (s *Service) makeSheets(ctx context.Context, v *video) error {
	e, err := findEncoding(ctx, s.db, v.id)
	if err != nil {
		return err
	}
	if err := s.takePictures(ctx, v, e); err != nil {
		return err
	}
	board := storyboard{Columns: sheetColumns, PerSheet: sheetColumns * sheetColumns, Pictures: e.plan.Pictures()}
	for sheet := 0; sheet*board.PerSheet < board.Pictures; sheet++ {
		if err := s.makeSheet(ctx, v.id, sheet, &board); err != nil {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockThere(ctx, tx, v.id); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE video_encodings SET storyboard = $2 WHERE video_id = $1 AND storyboard = ''`, v.id, asJSON(board))
		if err != nil {
			return err
		}
		return raiseVersion(ctx, tx, v.id)
	})
}

// makeSheet makes one sheet, and learns the size of the pictures from the first.
func (s *Service) makeSheet(ctx context.Context, id string, number int, board *storyboard) error {
	first := number * board.PerSheet
	count := min(board.PerSheet, board.Pictures-first)
	var sheet *image.RGBA
	for i := range count {
		picture, err := s.picture(ctx, id, first+i)
		if errors.Is(err, blob.ErrNotFound) {
			continue // its process died between the picture and the segment: its place stays dark
		}
		if err != nil {
			return err
		}
		if board.Width == 0 {
			board.Width, board.Height = picture.Bounds().Dx(), picture.Bounds().Dy()
		}
		if sheet == nil {
			rows := (count + board.Columns - 1) / board.Columns
			sheet = image.NewRGBA(image.Rect(0, 0, min(count, board.Columns)*board.Width, rows*board.Height))
		}
		at := image.Pt(i%board.Columns*board.Width, i/board.Columns*board.Height)
		draw.Draw(sheet, image.Rectangle{at, at.Add(image.Pt(board.Width, board.Height))}, picture, picture.Bounds().Min, draw.Src)
	}
	if sheet == nil {
		return nil
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, sheet, &jpeg.Options{Quality: sheetQuality}); err != nil {
		return err
	}
	_, err := s.Blobs.Put(ctx, sheetKey(id, number), &out, "image/jpeg")
	return err
}

func (s *Service) picture(ctx context.Context, id string, number int) (image.Image, error) {
	object, err := s.Blobs.Open(ctx, pictureKey(id, number))
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return jpeg.Decode(object)
}

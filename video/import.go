package video

import (
	"bufio"
	"context"
	"io"

	"stoa/internal/egress"
	"stoa/internal/fault"
	"stoa/video/internal/pieces"
)

// importArgs is the job that fetches a source from an address.
type importArgs struct {
	VideoID string `json:"video_id"`
}

func (importArgs) Kind() string { return "video.import" }

// importPart is what fits into a store without trouble, bytes.
const importPart = 100 << 20

var errNoBytes = fault.New(fault.Invalid, "the file at this address is empty")

// importSource fetches the source of a video. Each try begins anew.
func (s *Service) importSource(ctx context.Context, a importArgs) error {
	return s.bringSource(ctx, a.VideoID, func(ctx context.Context, v *video) error {
		download, err := s.Egress.Fetch(ctx, v.source.from, pieces.MaxSource)
		if err != nil {
			return err
		}
		defer download.Close()
		files, err := s.storeDownload(ctx, v.id, download)
		if err != nil {
			s.drop(ctx, files...)
			return err
		}
		return s.finishIngest(ctx, v.id, files)
	})
}

// storeDownload cuts what comes into files. It returns those that are stored with an
// error as well.
func (s *Service) storeDownload(ctx context.Context, videoID string, download *egress.Download) ([]arrival, error) {
	var files []arrival
	body := bufio.NewReader(download)
	for {
		_, err := body.Peek(1)
		switch {
		case err == io.EOF && len(files) == 0:
			return nil, errNoBytes
		case err == io.EOF:
			return files, nil
		case err != nil:
			return files, err
		}
		file, err := s.store(ctx, sourceFolder(videoID), io.LimitReader(body, s.importPart))
		if err != nil {
			return files, err
		}
		files = append(files, file)
	}
}

package video

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"stoa/internal/db"
	"stoa/video/internal/form"
	"stoa/video/internal/pieces"
	"stoa/video/internal/problem"
)

// upload is a file that somebody sends: a source, or a piece of one.
type upload struct {
	project string
	videoID string        // "": that of which the file is a piece, or a new one
	token   string        // of somebody without a key, who names the video in the form
	title   string        // of a video that is made for it
	name    string        // of the file, so that its later pieces find the first
	span    *pieces.Range // nil: it is the whole source
}

// formReader reads a request with a file, which it hands to take, and returns the fields
// beside it.
type formReader func(o form.Options, take func(form.File) error) (fields map[string]string, err error)

// wholeForm is the form of a source that came in one request, beside those of pieces.
const wholeForm = "whole"

// receiveSource takes a file for a video. ranges is what the request says of its place
// in the source.
func (s *Service) receiveSource(ctx context.Context, project, videoID string, ranges []string, read formReader) (*video, error) {
	v, err := s.findVideo(ctx, s.db, project, videoID)
	if err == nil {
		err = v.source.open()
	}
	if err != nil {
		return nil, err
	}
	u := upload{project: project, videoID: videoID}
	if u.span, err = readSpan(ranges); err != nil {
		return nil, err
	}
	if err := s.admit(ctx, v, u.span); err != nil {
		return nil, err
	}
	return s.receive(ctx, u, read)
}

// receiveDelegated takes a file from somebody with a token of the project. The video is
// named in the form or nowhere.
func (s *Service) receiveDelegated(ctx context.Context, project, token string, ranges []string, read formReader) (*video, error) {
	span, err := readSpan(ranges)
	if err != nil {
		return nil, err
	}
	return s.receive(ctx, upload{project: project, token: token, span: span}, read)
}

// receive stores the file and then gives it to its video. The storage comes first, so
// that no transaction waits for a client.
func (s *Service) receive(ctx context.Context, u upload, read formReader) (*video, error) {
	var file arrival
	fields, err := read(form.Options{Limit: pieces.MaxPiece, Empty: u.span != nil}, func(f form.File) (err error) {
		folder := pendingFolder
		if u.token != "" {
			u.title, u.name = fileText(f.Name, maxTitle), fileText(f.Name, maxUploadName)
			u.videoID = f.Fields["videoId"] // which may also come behind the file
			if err := s.admitDelegated(ctx, u); err != nil {
				return err
			}
		}
		if u.videoID != "" {
			folder = sourceFolder(u.videoID)
		}
		file, err = s.store(ctx, folder, f.Body)
		return err
	})
	if err != nil {
		s.drop(ctx, file)
		return nil, err
	}
	if u.token != "" {
		if named := fields["videoId"]; u.videoID != "" && named != u.videoID {
			s.drop(ctx, file)
			return nil, problem.All(problem.Attribute("videoId", "There are two of them: give one."))
		}
		u.videoID = fields["videoId"]
	}
	return s.accept(ctx, u, file)
}

// accept gives a stored file to its video. The client may have gone by now: the bytes
// are here, so he finds them when he comes back.
func (s *Service) accept(ctx context.Context, u upload, file arrival) (v *video, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bookTime)
	defer cancel()
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if v, err = s.recipient(ctx, tx, u); err != nil {
			return err
		}
		v, err = s.take(ctx, tx, v, u.span, file)
		return err
	})
	if err != nil && !errors.Is(err, db.ErrUnknownOutcome) { // then it may be the video's
		s.drop(ctx, file)
	}
	return v, err
}

// take adds a file to the source of a video that the transaction has locked. With the
// last one the source is whole, and something is made of it.
func (s *Service) take(ctx context.Context, tx *db.Tx, v *video, span *pieces.Range, file arrival) (*video, error) {
	received, err := receivedOf(ctx, tx, v)
	if err != nil {
		return nil, err
	}
	number := int64(1)
	src := &v.source
	src.kind = sourceUpload
	if span == nil {
		if err := received.AdmitWhole(); err != nil {
			return nil, err
		}
		src.form, src.size, src.ingest = wholeForm, file.size, ingestUploaded
	} else {
		if err := received.Accept(*span, file.size); err != nil {
			return nil, err
		}
		number = received.Pieces[len(received.Pieces)-1].At
		src.form, src.total = string(received.Form), received.Total
		if received.Complete() {
			src.size, _ = received.Size()
			src.ingest = ingestUploaded
		}
	}
	if err := claim(ctx, tx, file); err != nil {
		return nil, err
	}
	if err := insertPart(ctx, tx, v.id, number, file); err != nil {
		return nil, err
	}
	if err := updateSource(ctx, tx, v); err != nil {
		return nil, err
	}
	if src.ingest == ingestUploaded {
		if err := s.Queue.Add(ctx, tx, ingestArgs{v.id}); err != nil {
			return nil, err
		}
	}
	return s.touched(ctx, tx, v.project, v.id)
}

// admit tells before a file comes whether it could be taken.
func (s *Service) admit(ctx context.Context, v *video, span *pieces.Range) error {
	received, err := receivedOf(ctx, s.db, v)
	if err != nil {
		return err
	}
	if span == nil {
		return received.AdmitWhole()
	}
	return received.Admit(*span)
}

// open tells whether a source is still to be uploaded, or why not.
func (src source) open() error {
	switch {
	case src.kind == sourceURL:
		return problem.All(problem.SourceDownloaded)
	case src.kind == sourceCopy:
		return problem.All(problem.SourceCopied)
	case src.ingest != ingestOpen:
		return problem.All(problem.SourceUploaded)
	}
	return nil
}

// readSpan reads what a request says of its file's place, if it says anything.
func readSpan(ranges []string) (*pieces.Range, error) {
	switch len(ranges) {
	case 0:
		return nil, nil
	case 1:
		span, err := pieces.Parse(ranges[0])
		return &span, err
	}
	_, err := pieces.Parse("") // no one header says it
	return nil, err
}

// maxUploadName is how much of a file's name finds an upload again, in characters.
const maxUploadName = 255

// fileText makes the name of a file one that can be stored. Some have none but that of
// a folder.
func fileText(name string, most int) string {
	text := []rune(strings.ReplaceAll(cmp.Or(name, "video"), "\x00", "\uFFFD"))
	return string(text[:min(len(text), most)])
}

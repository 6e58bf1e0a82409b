package video

import (
	"context"
	"errors"
	"mime"
	"os"
	"strings"

	"stoa/internal/blob"
	"stoa/video/internal/problem"
)

// errNoFile is the answer where a video has no such file. Nothing has been written then.
var errNoFile = problem.Unrecognized()

// serveFile answers with a stored file.
func (s *Service) serveFile(v *viewing, how, contentType, key string) error {
	object, err := s.openFile(v.r.Context(), key)
	if err != nil {
		return err
	}
	return v.serve(how, contentType, object)
}

func (s *Service) openFile(ctx context.Context, key string) (*blob.Object, error) {
	object, err := s.Blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		err = errNoFile
	}
	return object, err
}

// serveFixed answers with a stored file that never changes, maybe one that is ready.
func (s *Service) serveFixed(v *visit, contentType, key string) error {
	hot, found := s.hot.find(key)
	if found && isPlain(v.r) {
		if from := hot.handles.take(); from != nil || hot.bytes != nil {
			return v.sendHot(contentType, hot, from)
		}
	}
	if found && hot.bytes != nil {
		s.metrics.segments.Add(1)
		return v.serve(keepForever, contentType, hot.open())
	}
	object, err := s.openFile(v.r.Context(), key)
	if err == nil {
		object, err = s.hot.keep(key, object)
	}
	if err != nil {
		return err
	}
	s.metrics.segments.Add(1)
	return v.serve(keepForever, contentType, object)
}

func (v *visit) sendHot(contentType string, hot *hotFile, from *os.File) error {
	if from != nil {
		defer hot.handles.give(from)
	}
	if err := v.begin(keepForever); err != nil {
		return err
	}
	v.s.metrics.segments.Add(1)
	hot.send(v.w, contentType, from)
	return nil
}

func (v *visit) serve(how, contentType string, object *blob.Object) error {
	defer object.Close()
	if err := v.begin(how); err != nil {
		return err
	}
	serveObject(v.w, v.r, contentType, object)
	return nil
}

func (s *Service) getMP4(v *viewing) error {
	if !v.hasMP4 {
		return errNoFile
	}
	if queryValue(v.r, "dl") == "1" {
		v.w.Header().Set("Content-Disposition", attachment(v.title))
	}
	return s.serveFile(v, keepBriefly, "video/mp4", mp4Key(v.id))
}

// attachment has a browser save the file under the title of the video.
func attachment(title string) string {
	name := strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return ' '
		}
		return r
	}, title))
	return mime.FormatMediaType("attachment", map[string]string{"filename": name + ".mp4"})
}

func (s *Service) getPoster(v *viewing) error {
	if v.thumbnail == "" {
		return errNoFile
	}
	return s.serveFile(v, keepBriefly, "image/jpeg", thumbnailKey(v.id, v.thumbnail))
}

func (s *Service) getCaptionFile(v *viewing) error { return s.serveTrack(v, v.captions) }
func (s *Service) getChapterFile(v *viewing) error { return s.serveTrack(v, v.chapters) }

func (s *Service) serveTrack(v *viewing, tracks []track) error {
	tag, found := strings.CutSuffix(v.r.PathValue("file"), ".vtt")
	t := findLanguage(tracks, tag)
	if !found || t == nil {
		return errNoFile
	}
	return s.serveFile(v, keepBriefly, trackType, t.blob)
}

func (s *Service) getStoryboard(v *viewing) error {
	if v.board.Pictures == 0 {
		return errNoFile
	}
	if err := v.begin(keepBriefly); err != nil {
		return err
	}
	serveText(v.w, v.r, trackType, v.once("storyboard", v.carry(), v.storyboardText))
	return nil
}

func (s *Service) getSheet(v *viewing) error {
	number, ok := fileNumber(v.r.PathValue("file"), ".jpg")
	if !ok || v.board.Pictures == 0 { // until then they may be made anew
		return errNoFile
	}
	return s.serveFixed(&v.visit, "image/jpeg", sheetKey(v.id, number))
}

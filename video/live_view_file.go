package video

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"stoa/video/internal/live"
)

// keepPart is for how long parts can be kept: soon nobody asks for them any more.
const keepPart = "max-age=60"

// getTrackOfLive serves what is in the folder of a track: manifest.m3u8, head{n}.mp4,
// {segment}.m4s and {segment}.{part}.m4s.
func (s *Service) getTrackOfLive(v *watching) error {
	row, found := v.show(v.r.PathValue("broadcast"))
	if !found {
		return errNoFile
	}
	b, err := s.followed(v.r.Context(), row)
	if err != nil {
		return err
	}
	track, file := v.r.PathValue("track"), v.r.PathValue("file")
	window, found := b.window(track)
	if !found {
		return errNoFile
	}
	if file == listName {
		return s.getLiveList(v, b, window)
	}
	if head, ok := fileNumber(strings.TrimPrefix(file, "head"), ".mp4"); ok && file != strconv.Itoa(head)+".mp4" {
		return v.serveHead(window, mediaType(track), head)
	}
	segment, part, isPart := strings.Cut(strings.TrimSuffix(file, ".m4s"), ".")
	number, ok := fileNumber(segment+".m4s", ".m4s")
	switch partNumber, isNumber := fileNumber(part+".m4s", ".m4s"); {
	case !ok || !strings.HasSuffix(file, ".m4s") || isPart && !isNumber:
		return errNoFile
	case isPart:
		return s.serveLivePart(v, window, mediaType(track), number, partNumber)
	}
	return s.serveLiveSegment(v, window, track, b.videoID, number)
}

func (v *watching) serveHead(w *live.Window, contentType string, number int) error {
	for _, h := range w.Heads() {
		if h.Number == number {
			return v.serveBytes(keepForever, contentType, h.Bytes)
		}
	}
	return errNoFile
}

// serveLivePart serves a part. The next one is awaited: players ask for it before it is
// there.
func (s *Service) serveLivePart(v *watching, w *live.Window, contentType string, segment, number int) error {
	content, found := w.Part(segment, number)
	if !found {
		if !isNext(w, segment, number) {
			return errNoFile
		}
		if err := s.await(v.r.Context(), w, segment, number); err != nil {
			return v.late(err)
		}
		if content, found = w.Part(segment, number); !found { // the segment ended before
			return errNoFile
		}
	}
	return v.serveBytes(keepPart, contentType, content)
}

// isNext tells whether a part is the one that comes next.
func isNext(w *live.Window, segment, number int) bool {
	last, part := w.Newest()
	return segment == last && number == part+1 || segment == last+1 && number == 0
}

// serveLiveSegment serves a segment: a new one from memory, others from where the
// recording has them.
func (s *Service) serveLiveSegment(v *watching, w *live.Window, track, videoID string, number int) error {
	segment, found := w.Segment(number)
	if !found {
		return errNoFile
	}
	if segment.Bytes != nil {
		return v.serveBytes(keepForever, mediaType(track), segment.Bytes)
	}
	return s.serveFixed(&v.visit, mediaType(track), segmentKey(videoID, track, number))
}

// serveBytes answers with a file that is in memory. Its address names the same bytes for
// ever.
func (v *watching) serveBytes(how, contentType string, content []byte) error {
	if err := v.begin(how); err != nil {
		return err
	}
	v.s.metrics.segments.Add(1)
	v.w.Header().Set("Content-Type", contentType)
	http.ServeContent(directWriter{v.w}, v.r, "", time.Time{}, bytes.NewReader(content))
	return nil
}

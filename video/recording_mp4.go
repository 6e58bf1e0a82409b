package video

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"stoa/internal/fault"
	"stoa/video/internal/encode"
)

// errManyHeads says that a recording cannot become one file.
var errManyHeads = fault.New(fault.Invalid, "the publisher changed the kind of picture or sound too often: there is no MP4 of this recording")

// maxPieces is of how many kinds of picture and sound, one after the other, a file is made.
const maxPieces = 32

// joinRecorded makes and stores the MP4 of a recording. What was broadcast goes into it
// as it is; only where the publisher changed the kind of picture or sound meanwhile, it
// is encoded again, in the size that the recording has at first.
func (s *Service) joinRecorded(ctx context.Context, v *video, e encoding) (size int64, err error) {
	r, err := s.openRecorded(ctx, v, e)
	if err != nil {
		return 0, err
	}
	cuts, err := r.pieces(ctx)
	if err != nil {
		return 0, err
	}
	folder, err := s.scratch.new("mp4")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	var pieces []encode.Piece
	for i := range len(cuts) - 1 {
		piece, err := r.piece(ctx, folder, i, cuts[i], cuts[i+1])
		if err != nil {
			return 0, err
		}
		pieces = append(pieces, piece)
	}
	const whole = "whole.mp4"
	if len(pieces) == 1 {
		err = encode.Remux(ctx, s.ffmpeg, folder, pieces[0].Picture, pieces[0].Sound, whole)
	} else {
		err = encode.Unite(ctx, s.ffmpeg, folder, pieces, e.plan.Renditions[0], whole)
	}
	if err != nil {
		return 0, err
	}
	return s.putMP4(ctx, v.id, filepath.Join(folder, whole))
}

// pieces are the numbers of the segments with which something new begins, from 0, and
// the number after the last.
func (r *recorded) pieces(ctx context.Context) ([]int, error) {
	cuts := []int{0, len(r.segments[r.picture()])}
	tracks := []string{r.picture()}
	if r.hasSound() {
		tracks = append(tracks, encode.AudioTrack)
	}
	for _, track := range tracks {
		at, err := r.changes(ctx, track)
		if err != nil {
			return nil, err
		}
		cuts = append(cuts, at...)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) > maxPieces {
		return nil, errManyHeads
	}
	return cuts, nil
}

// piece writes the files of a piece. Without a picture, its sound stands in the place.
func (r *recorded) piece(ctx context.Context, folder string, number, from, to int) (p encode.Piece, err error) {
	p.Picture = fmt.Sprintf("picture%d", number)
	if err := r.file(ctx, r.picture(), from, to, filepath.Join(folder, p.Picture)); err != nil {
		return p, err
	}
	if !r.hasSound() {
		return p, nil
	}
	sound := r.segments[encode.AudioTrack]
	sound = sound[min(from, len(sound)):min(to, len(sound))]
	if !slices.ContainsFunc(sound, func(k keptSegment) bool { return k.Bytes > 0 }) {
		return p, nil
	}
	p.Sound = fmt.Sprintf("sound%d", number)
	return p, r.file(ctx, encode.AudioTrack, from, min(to, from+len(sound)), filepath.Join(folder, p.Sound))
}

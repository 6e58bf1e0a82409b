package encode

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4/seekablebuffer"

	"stoa/video/internal/ffmpeg"
)

// Piece is a time of a recording in which picture and sound are of one kind: the names
// of two files, each a head and segments. Sound "" is silence.
type Piece struct{ Picture, Sound string }

// Unite joins pieces of different kinds into an MP4 file, which takes encoding them. All
// get the size of the rendition; all names are in the folder.
func Unite(ctx context.Context, r *ffmpeg.Runner, folder string, pieces []Piece, size Rendition, out string) error {
	err := r.Run(ctx, ffmpeg.Command{Program: "ffmpeg", Args: uniteArgs(pieces, size, out), Folder: folder})
	if err != nil {
		return fmt.Errorf("make MP4 of %d pieces: %w", len(pieces), err)
	}
	return nil
}

func uniteArgs(pieces []Piece, size Rendition, out string) []string {
	var args, chains []string
	var joined strings.Builder
	inputs := 0
	open := func(name string) int {
		args = append(args, "-threads", "1", "-protocol_whitelist", "file", "-f", "mp4", "-i", name)
		inputs++
		return inputs - 1
	}
	for i, p := range pieces {
		if size.Width > 0 {
			chains = append(chains, fmt.Sprintf("[%d:v:0]scale=%d:%d:force_original_aspect_ratio=decrease:flags=bicubic,pad=%[2]d:%[3]d:-1:-1,setsar=1,format=yuv420p[v%d]",
				open(p.Picture), size.Width, size.Height, i))
			fmt.Fprintf(&joined, "[v%d]", i)
		}
		sound := p.Sound
		if size.Width == 0 {
			sound = p.Picture
		}
		source := fmt.Sprintf("anullsrc=r=%d:cl=stereo:d=0.1", audioClock) // concat fills it up
		if sound != "" {
			source = fmt.Sprintf("[%d:a:0]aresample=%d:async=1", open(sound), audioClock)
		}
		chains = append(chains, fmt.Sprintf("%s,aformat=sample_fmts=fltp:channel_layouts=stereo[a%d]", source, i))
		fmt.Fprintf(&joined, "[a%d]", i)
	}
	pictures, outputs := 0, []string{"-map", "[a]"}
	if size.Width > 0 {
		pictures, outputs = 1, []string{"-map", "[v]", "-map", "[a]", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-threads", "1"}
	}
	chain := fmt.Sprintf("%sconcat=n=%d:v=%d:a=1", joined.String(), len(pieces), pictures)
	if pictures > 0 {
		chain += "[v]"
	}
	args = append(args, "-filter_complex_threads", "1", "-filter_complex", strings.Join(append(chains, chain+"[a]"), ";"))
	args = append(args, outputs...)
	return append(args, "-c:a", "aac", "-b:a", "128k", "-map_metadata", "-1", "-bitexact", "-movflags", "+faststart", "-f", "mp4", "-y", out)
}

// AddPicture adds the first picture of a segment to a film of such pictures, which is a
// head and what this adds, from 0 on. The beginning of the segment must hold the picture.
func AddPicture(film *bytes.Buffer, number int, beginning []byte) error {
	sample, track, err := firstSample(beginning)
	if err != nil {
		return err
	}
	const second = 90_000 // or about that: nobody looks at the times
	part := fmp4.Part{SequenceNumber: uint32(number), Tracks: []*fmp4.PartTrack{{
		ID: track, BaseTime: uint64(number) * second, Samples: []*fmp4.Sample{{Duration: second, Payload: sample}},
	}}}
	var out seekablebuffer.Buffer
	if err := part.Marshal(&out); err != nil {
		return err
	}
	_, err = film.Write(out.Bytes())
	return err
}

// firstSample is the first picture of a segment, and the number of its track.
func firstSample(beginning []byte) (sample []byte, track int, err error) {
	at := 0
	for b := range boxes(beginning) {
		if b.kind != "moof" {
			at += len(b.bytes)
			continue
		}
		f, err := readFragment(b)
		if err != nil {
			return nil, 0, err
		}
		tfhd, _ := find(b.body(), "traf", "tfhd")
		start := at + f.offset
		if end := start + f.firstSize; end <= len(beginning) && len(tfhd.body()) >= 8 {
			return beginning[start:end], int(binary.BigEndian.Uint32(tfhd.body()[4:])), nil
		}
		break
	}
	return nil, 0, errFragment
}

// Board makes the pictures of a storyboard of a film whose pictures they are: the name of
// a file in the folder. They are given out one at a time, with their numbers.
func Board(ctx context.Context, r *ffmpeg.Runner, folder, film string, size Rendition, give func(number int, jpeg []byte) error) error {
	number := 0
	read := func(r io.Reader) error {
		return readPictures(r, func(jpeg []byte) error {
			number++
			return give(number-1, jpeg)
		})
	}
	err := r.Run(ctx, ffmpeg.Command{Program: "ffmpeg", Folder: folder, Outputs: []func(io.Reader) error{read}, Args: []string{
		"-threads", "1", "-protocol_whitelist", "file", "-max_pixels", strconv.Itoa(ffmpeg.MaxPixels), "-f", "mp4", "-i", film,
		"-vf", boardPicture(size), "-fps_mode", "passthrough", "-c:v", "mjpeg", "-threads", "1", "-q:v", "5", "-f", "mpjpeg", pipe(0),
	}})
	if err != nil {
		return fmt.Errorf("make a storyboard: %w", err)
	}
	return nil
}

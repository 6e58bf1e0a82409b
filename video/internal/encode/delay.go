package encode

import "encoding/binary"

// reorder is how many frames before it is shown a picture is decoded: what our
// settings of the encoder come to, with three B-frames that others may refer to.
const reorder = 2

// delayed adds an edit list to the head of a track, which says that its time 0 is
// shown when the clock of decoding is at delay. Without it the picture would be
// late by that; and composition times below zero, the other way to say it, are
// misread by programs built on ffmpeg.
func delayed(init []byte, delay int64) []byte {
	edit := []byte("\x00\x00\x00\x24edts\x00\x00\x00\x1celst\x00\x00\x00\x00\x00\x00\x00\x01") // one entry
	edit = binary.BigEndian.AppendUint32(edit, 0)                                              // to the end
	edit = binary.BigEndian.AppendUint32(edit, uint32(delay))
	edit = binary.BigEndian.AppendUint32(edit, 1<<16) // at the usual speed
	return insertAfter(init, edit, "moov", "trak", "tkhd")
}

// insertAfter is body with more bytes after the box that a path of kinds leads
// to, and the boxes around it grown by them.
func insertAfter(body, more []byte, path ...string) []byte {
	var all []byte
	for b := range boxes(body) {
		switch {
		case b.kind != path[0]:
			all = append(all, b.bytes...)
		case len(path) == 1:
			all = append(append(all, b.bytes...), more...)
		default:
			inner := insertAfter(b.body(), more, path[1:]...)
			all = binary.BigEndian.AppendUint32(all, uint32(8+len(inner)))
			all = append(append(all, b.kind...), inner...)
		}
	}
	return all
}

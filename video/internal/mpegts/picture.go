package mpegts

import (
	"bytes"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// pictureDecoder reads access units of H.264 and H.265.
type pictureDecoder struct {
	pictures *intake.Pictures
	units    [][]byte // kept for the next picture
}

func newPictureDecoder(k kind) *pictureDecoder {
	if k == hevc {
		return &pictureDecoder{pictures: intake.H265()}
	}
	return &pictureDecoder{pictures: intake.H264()}
}

func (d *pictureDecoder) decode(r *Reader, at *moment, payload []byte) error {
	if at == nil {
		return nil
	}
	d.units = splitUnits(d.units[:0], payload)
	sample, key, format := d.pictures.Read(d.units)
	if sample == nil {
		return nil
	}
	return r.intake.Picture(format, live.Frame{DTS: at.dts, PTS: at.pts, Key: key, Payload: sample})
}

var startCode = []byte{0, 0, 1}

// splitUnits appends the NAL units between start codes. The zeros before a start code
// belong to none.
func splitUnits(units [][]byte, b []byte) [][]byte {
	begin := bytes.Index(b, startCode)
	for begin >= 0 {
		b = b[begin+len(startCode):]
		begin = bytes.Index(b, startCode)
		unit := b
		if begin >= 0 {
			unit = b[:begin]
		}
		if unit = bytes.TrimRight(unit, "\x00"); len(unit) > 0 {
			units = append(units, unit)
		}
	}
	return units
}

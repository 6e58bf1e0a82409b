package rtmp

import (
	"bytes"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/av1"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
)

// readAV1 takes the marks out that begin a picture of AV1, in place, and finds its
// sequence header: key frames have one.
func (p *picture) readAV1(b []byte) (payload []byte, key bool) {
	out := b[:0]
	for len(b) > 0 {
		kind, content, size := openUnit(b)
		if size == 0 {
			break
		}
		unit := b[:size]
		b = b[size:]
		switch kind {
		case av1.OBUTypeTemporalDelimiter:
			continue
		case av1.OBUTypeSequenceHeader:
			key = true
			p.takeAV1(unit[0], content)
		}
		out = append(out, unit...)
	}
	return out, key
}

// configureAV1 reads the sequence header that may come before the pictures, behind four
// bytes of an AV1CodecConfigurationRecord.
func (p *picture) configureAV1(b []byte) {
	if len(b) > 4 {
		p.codec = codecAV1
		if kind, content, _ := openUnit(b[4:]); kind == av1.OBUTypeSequenceHeader {
			p.takeAV1(b[4], content)
		}
	}
}

// takeAV1 sets the format that a sequence header describes, if it can be read.
func (p *picture) takeAV1(first byte, content []byte) {
	header := append([]byte{first &^ 6}, content...) // without extension and size
	if have, same := p.format.(*codecs.AV1); same && bytes.Equal(have.SequenceHeader, header) {
		return
	}
	var parsed av1.SequenceHeader
	if parsed.Unmarshal(header) == nil {
		p.format = &codecs.AV1{SequenceHeader: header}
	}
}

// openUnit reads the unit (OBU) that b begins with: what it holds, and its whole size,
// which is 0 if it is broken.
func openUnit(b []byte) (kind av1.OBUType, content []byte, size int) {
	head := 1
	if b[0]&4 != 0 {
		head = 2
	}
	if len(b) < head {
		return 0, nil, 0
	}
	kind = av1.OBUType(b[0] >> 3 & 15)
	if b[0]&2 == 0 { // it has no size: the rest is all its own
		return kind, b[head:], len(b)
	}
	var length av1.LEB128
	n, err := length.Unmarshal(b[head:])
	if err != nil || uint64(length) > uint64(len(b)-head-n) {
		return 0, nil, 0
	}
	size = head + n + int(length)
	return kind, b[head+n : size], size
}

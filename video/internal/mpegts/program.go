package mpegts

import (
	"bytes"
	"encoding/binary"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mpegts/substructs"

	"stoa/video/internal/live"
)

const (
	tableOfPrograms = 0
	tableOfStreams  = 2
	sectionHead     = 8
	sectionTail     = 4
)

// readTables finds the first program.
func (r *Reader) readTables(table []byte) error {
	if table[0] != tableOfPrograms || len(table) < sectionHead+sectionTail || table[5]&1 == 0 {
		return nil
	}
	for b := table[sectionHead : len(table)-sectionTail]; len(b) >= 4; b = b[4:] {
		number, pid := binary.BigEndian.Uint16(b), binary.BigEndian.Uint16(b[2:])&0x1fff
		if number == 0 { // says where the network is described
			continue
		}
		if number != r.number || pid != r.pid {
			r.number, r.pid = number, pid
			r.program, r.known = section{}, nil
		}
		return nil
	}
	return nil
}

// readProgram finds the streams of the program, if they have changed.
func (r *Reader) readProgram(table []byte) error {
	if table[0] != tableOfStreams || len(table) < sectionHead+4+sectionTail || table[5]&1 == 0 ||
		binary.BigEndian.Uint16(table[3:]) != r.number || bytes.Equal(table, r.known) {
		return nil
	}
	r.known = append(r.known[:0], table...)
	b := table[sectionHead : len(table)-sectionTail]
	length := int(binary.BigEndian.Uint16(b[2:]) & 0x0fff)
	if len(b) < 4+length {
		return nil
	}
	picture, sound, err := chooseStreams(b[4+length:])
	if err != nil {
		return err
	}
	if err := r.change(&r.picture, picture); err != nil {
		return err
	}
	if err := r.change(&r.sound, sound); err != nil {
		return err
	}
	r.intake.Expect(r.picture != nil, r.sound != nil)
	return nil
}

// change puts a stream in the place of another, unless it is the same.
func (r *Reader) change(place **stream, s *stream) error {
	old := *place
	if old != nil && s != nil && old.pid == s.pid && old.kind == s.kind {
		return nil
	}
	if old != nil {
		if err := old.finish(r); err != nil {
			return err
		}
	}
	*place = s
	return nil
}

// chooseStreams takes the first picture and the first sound. Subtitles and other data
// are left out.
func chooseStreams(b []byte) (picture, sound *stream, err error) {
	for len(b) >= 5 {
		length := int(binary.BigEndian.Uint16(b[3:]) & 0x0fff)
		if len(b) < 5+length {
			break
		}
		pid := binary.BigEndian.Uint16(b[1:]) & 0x1fff
		kind := kindOf(b[0], b[5:5+length])
		b = b[5+length:]
		switch {
		case kind == data:
		case kind == foreign:
			return nil, nil, live.ErrFormat
		case kind.isPicture() && picture == nil:
			picture = newStream(pid, kind)
		case !kind.isPicture() && sound == nil:
			sound = newStream(pid, kind)
		}
	}
	return picture, sound, nil
}

// kind is what a stream carries.
type kind int

const (
	data    kind = iota // neither picture nor sound
	foreign             // picture or sound that cannot be broadcast
	avc
	hevc
	aac
	latm
	mp3
	dolby // AC-3
	opusMono
	opusStereo
)

func (k kind) isPicture() bool { return k == avc || k == hevc }

// kindOf reads the type of a stream and, where that only says "private", what describes
// it.
func kindOf(code byte, descriptors []byte) kind {
	switch code {
	case 0x1b:
		return avc
	case 0x24:
		return hevc
	case 0x0f:
		return aac
	case 0x11:
		return latm
	case 0x03, 0x04:
		return mp3
	case 0x81:
		return dolby
	case 0x06:
		return kindOfPrivate(descriptors)
	case 0x01, 0x02, 0x10, 0x1c, 0x1e, 0x20, 0x21, 0x33, 0x42, 0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x8a, 0xd1, 0xea:
		return foreign
	}
	return data
}

func kindOfPrivate(b []byte) kind {
	registered, found := "", data
	for len(b) >= 2 && len(b) >= 2+int(b[1]) {
		tag, body := b[0], b[2:2+int(b[1])]
		b = b[2+len(body):]
		switch {
		case tag == 0x05 && len(body) >= 4:
			registered = string(body[:4])
		case tag == 0x6a: // AC-3
			return dolby
		case tag == 0x7a || tag == 0x7b: // E-AC-3, DTS
			return foreign
		case tag == 0x7f && len(body) >= 2 && body[0] == 0x80:
			found = kindOfOpus(body[1:])
		}
	}
	switch registered {
	case "Opus":
		return found
	case "HEVC":
		return hevc
	case "AC-3":
		return dolby
	case "AV01", "VP09", "EAC3", "DTS1", "DTS2", "DTS3", "BSSD":
		return foreign
	}
	return data
}

func kindOfOpus(b []byte) kind {
	var d substructs.OpusAudioDescriptor
	if err := d.Unmarshal(b); err != nil {
		return foreign
	}
	switch d.ChannelCount() {
	case 1:
		return opusMono
	case 2:
		return opusStereo
	}
	return foreign
}

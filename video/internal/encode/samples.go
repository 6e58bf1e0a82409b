package encode

import "encoding/binary"

// Samples is how many pictures or frames of sound a segment has, which may be made of
// several fragments.
func Samples(segment []byte) (n int) {
	for b := range boxes(segment) {
		if b.kind != "moof" {
			continue
		}
		for traf := range boxes(b.body()) {
			if traf.kind != "traf" {
				continue
			}
			for trun := range boxes(traf.body()) {
				if trun.kind == "trun" && len(trun.body()) >= 8 {
					n += int(binary.BigEndian.Uint32(trun.body()[4:]))
				}
			}
		}
	}
	return n
}

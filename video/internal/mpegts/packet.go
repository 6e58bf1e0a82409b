package mpegts

const (
	packetSize = 188
	syncByte   = 0x47
)

// payload is what a packet carries.
type payload struct {
	bytes  []byte
	begins bool // a section or a PES packet begins in it
	jumps  bool // it says itself that the count of packets jumps here
	count  byte // of packets of its stream, modulo 16
}

// packet takes a packet of 188 bytes. Broken ones, scrambled ones and those of other
// streams are left out.
func (r *Reader) packet(b []byte) error {
	broken, scrambled := b[1]&0x80 != 0, b[3]&0xc0 != 0
	if broken || scrambled || b[3]&0x10 == 0 { // the last: without payload
		return nil
	}
	p := payload{bytes: b[4:], begins: b[1]&0x40 != 0, count: b[3] & 0x0f}
	if b[3]&0x20 != 0 { // adaptation field
		length := int(b[4])
		if length > len(p.bytes)-1 {
			return nil
		}
		p.jumps = length > 0 && b[5]&0x80 != 0
		p.bytes = p.bytes[1+length:]
	}
	switch pid := uint16(b[1]&0x1f)<<8 | uint16(b[2]); {
	case pid == 0:
		return r.tables.take(p, r.readTables)
	case pid == r.pid:
		return r.program.take(p, r.readProgram)
	case r.picture != nil && pid == r.picture.pid:
		return r.picture.take(r, p)
	case r.sound != nil && pid == r.sound.pid:
		return r.sound.take(r, p)
	}
	return nil
}

// counter notices packets that are missing or come twice.
type counter struct {
	last  byte
	known bool
}

func (c *counter) next(p payload) (again, lost bool) {
	again = c.known && !p.jumps && p.count == c.last
	lost = c.known && !p.jumps && !again && p.count != (c.last+1)&0x0f
	c.last, c.known = p.count, true
	return again, lost
}

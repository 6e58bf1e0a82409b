package statsd

import (
	"net"
	"time"
)

const (
	// A datagram of this size crosses the internet unfragmented.
	datagramSize = 1432
	streamSize   = 32 << 10
	// The largest UDP payload there is. A longer line could never be sent and
	// would hold up all others.
	maxDatagram = 65507
)

// packer joins lines to payloads and writes them to a connection.
type packer struct {
	conn  net.Conn
	udp   bool
	size  int
	buf   []byte
	marks []mark
}

// mark says what to do once the bytes up to end are written.
type mark struct {
	end  int
	sent func()
}

func newPacker(conn net.Conn, network string) *packer {
	p := &packer{conn: conn, udp: network == "udp", size: streamSize}
	if p.udp {
		p.size = datagramSize
	}
	return p
}

// add appends a line, after sending what is there if it does not fit. It calls
// sent, which may be nil, when the line has left.
func (p *packer) add(name, value, kind string, sent func()) error {
	length := len(name) + len(value) + len(kind) + len(":|\n")
	if p.udp && length > maxDatagram {
		return nil
	}
	if len(p.buf) > 0 && len(p.buf)+length > p.size {
		if err := p.send(); err != nil {
			return err
		}
	}
	p.buf = append(p.buf, name...)
	p.buf = append(p.buf, ':')
	p.buf = append(p.buf, value...)
	p.buf = append(p.buf, '|')
	p.buf = append(p.buf, kind...)
	p.buf = append(p.buf, '\n')
	if sent != nil {
		p.marks = append(p.marks, mark{len(p.buf), sent})
	}
	return nil
}

// send writes the payload. Of one that got through in part, the whole lines
// count as sent.
func (p *packer) send() error {
	if len(p.buf) == 0 {
		return nil
	}
	p.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	n, err := p.conn.Write(p.buf)
	for _, m := range p.marks {
		if m.end <= n {
			m.sent()
		}
	}
	p.buf, p.marks = p.buf[:0], p.marks[:0]
	return err
}

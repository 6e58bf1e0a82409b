package rtmp

import (
	"errors"
	"time"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// publisher makes frames of what one sends.
type publisher struct {
	conn    *conn
	options Options
	picture picture
	sound   sound
	intake  *intake.Intake
	clock   clock
	heard   time.Time // when the time for silence was set
}

func newPublisher(c *conn, feed live.Feed, o Options) *publisher {
	return &publisher{conn: c, options: o, intake: intake.Unannounced(feed)}
}

// run takes what comes until one side ends it. After the end of the broadcast it goes
// on for a while without keeping anything: encoders take a closed connection for a
// fault, and come back.
func (p *publisher) run() error {
	if err := p.conn.net.SetReadDeadline(time.Now().Add(p.options.Begin)); err != nil {
		return err
	}
	err := p.each(p.take)
	if !errors.Is(err, live.ErrEnded) {
		return err
	}
	end := time.Now().Add(p.options.Discard)
	_ = p.each(func(message) (bool, error) {
		if !time.Now().Before(end) {
			return false, live.ErrEnded
		}
		return true, nil
	})
	return err
}

// each gives on every message that may have a picture or sound. When none had for too
// long, it ends.
func (p *publisher) each(take func(message) (frame bool, err error)) error {
	for {
		m, err := p.conn.read()
		if err != nil {
			return err
		}
		if m.kind == kindCommand || m.kind == kindCommand3 {
			if cmd, err := parseCommand(m); err != nil || cmd.leaves() {
				return errors.Join(err, errLeft)
			}
			continue
		}
		frame, err := take(m)
		if err != nil {
			return err
		}
		if now := time.Now(); frame && now.Sub(p.heard) > p.options.Silence/16 { // not for each frame
			p.heard = now
			if err := p.conn.net.SetReadDeadline(now.Add(p.options.Silence)); err != nil {
				return err
			}
		}
	}
}

func (c command) leaves() bool {
	return c.name == "deleteStream" || c.name == "closeStream" || c.name == "FCUnpublish"
}

// take gives the frames of a message to the feed, and tells whether it had any. Sound may
// come several frames at a time.
func (p *publisher) take(m message) (frame bool, err error) {
	at := p.clock.at(m.time)
	if m.kind == kindPicture {
		f, err := p.picture.read(m.body)
		if err != nil || len(f.payload) == 0 {
			p.intake.Describe(p.picture.format, nil)
			return false, err
		}
		return true, p.intake.Picture(p.picture.format, live.Frame{DTS: at, PTS: at + f.offset, Key: f.key, Payload: f.payload})
	}
	frames, err := p.sound.read(m.body)
	if err != nil {
		return false, err
	}
	p.intake.Describe(nil, p.sound.format)
	for ; len(frames) > 0; frame = true {
		one, length := p.sound.first(frames)
		frames = frames[len(one):]
		if err := p.intake.Sound(p.sound.format, live.Frame{DTS: at, PTS: at, Payload: one}); err != nil {
			return true, err
		}
		at += length
	}
	return frame, nil
}

// clock sets the times of messages in a row: they have 32 bits, for 49 days.
type clock struct {
	begun bool
	last  uint32
	sum   int64 // milliseconds
}

func (c *clock) at(stamp uint32) time.Duration {
	if !c.begun {
		c.begun, c.last, c.sum = true, stamp, int64(stamp)
	}
	c.sum += int64(int32(stamp - c.last)) // the nearest: forth or back
	c.last = stamp
	return time.Duration(c.sum) * time.Millisecond
}

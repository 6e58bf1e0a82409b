package encode

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// fragment is what the head of a piece of a track (its moof box) says.
type fragment struct {
	samples   int
	duration  int64 // units of the track's clock
	wait      int64 // from the first sample's time of decoding to that of showing
	firstSize int   // bytes of the first sample
	offset    int   // where the samples begin, from the beginning of the moof

	sequence, decodeTime []byte // where these two numbers stand in the moof
}

var errFragment = errors.New("encoder's output: a fragment is not as expected")

// Flags of the tfhd and trun boxes: which fields are there.
const (
	tfhdBaseOffset      = 0x1
	tfhdDescription     = 0x2
	tfhdDuration        = 0x8
	tfhdSize            = 0x10
	tfhdFlags           = 0x20
	trunOffset          = 0x1
	trunFirstFlags      = 0x4
	trunDuration        = 0x100
	trunSize            = 0x200
	trunFlags           = 0x400
	trunCompositionTime = 0x800
)

// readFragment reads the head of one track with one run of samples, as our
// encoder writes it.
func readFragment(moof box) (fragment, error) {
	var f fragment
	mfhd, ok1 := find(moof.body(), "mfhd")
	tfhd, ok2 := find(moof.body(), "traf", "tfhd")
	tfdt, ok3 := find(moof.body(), "traf", "tfdt")
	trun, ok4 := find(moof.body(), "traf", "trun")
	if !ok1 || !ok2 || !ok3 || !ok4 || len(mfhd.body()) < 8 || len(tfdt.body()) < 12 || tfdt.body()[0] != 1 {
		return f, errFragment
	}
	f.sequence, f.decodeTime = mfhd.body()[4:8], tfdt.body()[4:12]

	duration, size, err := sampleDefaults(tfhd.body())
	if err != nil {
		return f, err
	}
	err = f.readRun(trun.body(), duration, size)
	if err == nil && (f.samples == 0 || f.duration <= 0 || f.firstSize <= 0 || f.offset < len(moof.bytes)) {
		err = errFragment
	}
	return f, err
}

// sampleDefaults reads what holds for samples that do not say otherwise.
func sampleDefaults(tfhd []byte) (duration, size uint32, err error) {
	c := cursor{rest: tfhd}
	flags := c.uint32()
	c.uint32() // track
	if flags&tfhdBaseOffset != 0 {
		return 0, 0, errFragment
	}
	c.skip(flags&tfhdDescription != 0)
	if flags&tfhdDuration != 0 {
		duration = c.uint32()
	}
	if flags&tfhdSize != 0 {
		size = c.uint32()
	}
	if c.short {
		return 0, 0, errFragment
	}
	return duration, size, nil
}

// readRun adds up the samples.
func (f *fragment) readRun(trun []byte, duration, size uint32) error {
	c := cursor{rest: trun}
	flags, count := c.uint32(), c.uint32()
	if flags&trunOffset == 0 || count > 1<<20 {
		return errFragment
	}
	f.offset = int(int32(c.uint32()))
	c.skip(flags&trunFirstFlags != 0)
	for i := range count {
		d, n, wait := duration, size, uint32(0)
		if flags&trunDuration != 0 {
			d = c.uint32()
		}
		if flags&trunSize != 0 {
			n = c.uint32()
		}
		c.skip(flags&trunFlags != 0)
		if flags&trunCompositionTime != 0 {
			wait = c.uint32()
		}
		if c.short {
			return errFragment
		}
		f.samples++
		f.duration += int64(d)
		if i == 0 {
			f.firstSize, f.wait = int(n), int64(int32(wait))
		}
	}
	return nil
}

// place sets the piece to its place on the time line: its first picture is
// decoded for being shown at a time.
func (f *fragment) place(number int, shown int64) error {
	decoded := shown - f.wait
	if decoded < 0 {
		return fmt.Errorf("%w: it begins before the time line", errFragment)
	}
	binary.BigEndian.PutUint32(f.sequence, uint32(number)+1)
	binary.BigEndian.PutUint64(f.decodeTime, uint64(decoded))
	return nil
}

// cursor reads numbers from bytes that may end early; then it is short.
type cursor struct {
	rest  []byte
	short bool
}

func (c *cursor) uint32() uint32 {
	if len(c.rest) < 4 {
		c.short = true
		return 0
	}
	n := binary.BigEndian.Uint32(c.rest)
	c.rest = c.rest[4:]
	return n
}

// skip passes over a number that is there only sometimes.
func (c *cursor) skip(there bool) {
	if there {
		c.uint32()
	}
}

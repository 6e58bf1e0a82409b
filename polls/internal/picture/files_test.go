package picture_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"testing"
)

// The files of the tests: made by the encoders of the standard library, or
// piece by piece where these do not know the form.

var (
	red   = color.NRGBA{0xc0, 0x20, 0x20, 0xff}
	green = color.NRGBA{0x20, 0xa0, 0x20, 0xff}
	blue  = color.NRGBA{0x20, 0x20, 0xc0, 0xff}
	gray  = color.NRGBA{0x80, 0x80, 0x80, 0xff}
	none  = color.NRGBA{}
)

// quarters is red and green above, blue and gray below: it shows how it is turned.
func quarters(w, h int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.SetNRGBA(x, y, []color.NRGBA{red, green, blue, gray}[2*x/w+2*(2*y/h)])
		}
	}
	return img
}

func plain(w, h int, c color.Color) *image.Paletted {
	return image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{c, none})
}

func jpegFile(t testing.TB, img image.Image) []byte {
	return encoded(t, func(w io.Writer) error { return jpeg.Encode(w, img, &jpeg.Options{Quality: 95}) })
}

func pngFile(t testing.TB, img image.Image) []byte {
	return encoded(t, func(w io.Writer) error { return png.Encode(w, img) })
}

func gifFile(t testing.TB, g *gif.GIF) []byte {
	return encoded(t, func(w io.Writer) error { return gif.EncodeAll(w, g) })
}

func encoded(t testing.TB, encode func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// exif is a TIFF of one tag, the orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	b := []byte("II")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		b = []byte("MM")
	}
	b = order.AppendUint16(b, 42)
	b = order.AppendUint32(b, 8) // where the only directory is
	b = order.AppendUint16(b, 1)
	for _, v := range []uint16{0x0112, 3} { // the tag, of type SHORT
		b = order.AppendUint16(b, v)
	}
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)
	return append(b, 0, 0, 0, 0, 0, 0) // padding; no further directory
}

// segment is one marker of a JPEG file with what belongs to it.
func segment(marker byte, body ...byte) []byte {
	return append([]byte{0xff, marker, byte((len(body) + 2) >> 8), byte(len(body) + 2)}, body...)
}

func withSegment(file, segment []byte) []byte {
	return bytes.Join([][]byte{file[:2], segment, file[2:]}, nil)
}

func exifSegment(body []byte) []byte {
	return segment(0xe1, append([]byte("Exif\x00\x00"), body...)...)
}

// rawJPEG has all coefficients zero, so that each component is 128 everywhere.
// Frame 0xc0 is baseline, 0xc2 progressive; each scan comes as given.
func rawJPEG(w, h int, frame byte, components int, scans ...[]byte) []byte {
	sof := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(components)}
	for i := range components {
		sof = append(sof, byte(i+1), 0x11, 0)
	}
	table := func(class, symbol byte) []byte { // one code of one bit
		return segment(0xc4, append([]byte{class << 4, 1, 15: 0, 16: 0}, symbol)...)
	}
	return bytes.Join([][]byte{
		{0xff, 0xd8},
		segment(0xee, append([]byte("Adobe"), 0, 100, 0, 0, 0, 0, 0)...),
		segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...),
		segment(0xc0|frame&2, sof...),
		table(0, 0), table(1, 0xe0*(frame>>1&1)), // AC codes of a progressive file: end of up to 32767 blocks
		bytes.Join(scans, nil),
		{0xff, 0xd9},
	}, nil)
}

// scan covers all blocks of the components with coefficients first to last.
func scan(components int, first, last byte, bits int) []byte {
	sos := []byte{byte(components)}
	for i := range components {
		sos = append(sos, byte(i+1), 0)
	}
	return append(segment(0xda, append(sos, first, last, 0)...), make([]byte, (bits+7)/8)...)
}

func pngChunk(kind string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, kind...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

const pngHead = 8 + 25 // signature and header chunk

// afterHead puts chunks behind the header of a PNG file.
func afterHead(file []byte, chunks ...[]byte) []byte {
	return bytes.Join([][]byte{file[:pngHead], bytes.Join(chunks, nil), file[pngHead:]}, nil)
}

// rawPNG is gray, of 8 bits, with the rows given.
func rawPNG(w, h uint32, interlaced byte, rows []byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	return bytes.Join([][]byte{
		[]byte("\x89PNG\r\n\x1a\n"),
		pngChunk("IHDR", append(head, 8, 0, 0, 0, interlaced)),
		pngChunk("IDAT", deflated(bytes.NewReader(rows))),
		pngChunk("IEND", nil),
	}, nil)
}

func deflated(r io.Reader) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	io.Copy(z, r)
	z.Close()
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func riffChunk(kind string, body []byte) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body)))
	b = append(b, body...)
	return append(b, make([]byte, len(body)%2)...)
}

func webpFile(chunks ...[]byte) []byte {
	return riffChunk("RIFF", append([]byte("WEBP"), bytes.Join(chunks, nil)...))
}

// webpHead is the VP8X chunk. Flags: 2 animation, 8 EXIF, 16 alpha.
func webpHead(flags byte, w, h int) []byte {
	w, h = w-1, h-1
	return riffChunk("VP8X", []byte{flags, 0, 0, 0, byte(w), byte(w >> 8), 0, byte(h), byte(h >> 8), 0})
}

// lossless is a VP8L chunk of one colour: each channel's code has one symbol,
// so that pixels need no bits at all.
func lossless(w, h int, c color.NRGBA) []byte {
	var bits, n uint64
	out := []byte{0x2f}
	put := func(v, width uint64) {
		bits |= v << n
		for n += width; n >= 8; n -= 8 {
			out = append(out, byte(bits))
			bits >>= 8
		}
	}
	put(uint64(w-1), 14)
	put(uint64(h-1), 14)
	put(1, 1)                                          // alpha is used
	put(0, 3+3)                                        // version; no transform, no cache, one set of codes
	for _, v := range []uint8{c.G, c.R, c.B, c.A, 0} { // the last is for distances
		put(0b101, 3) // a simple code of one symbol of eight bits
		put(uint64(v), 8)
	}
	put(0, 8)
	return riffChunk("VP8L", out)
}

// lossy is a VP8 chunk whose bits are all zero, which makes it gray.
func lossy(w, h int) []byte {
	const modes = 4096 // length of the first partition
	head := []byte{0x10 | modes<<5&0xff, modes >> 3 & 0xff, modes >> 11, 0x9d, 0x01, 0x2a, byte(w), byte(w >> 8), byte(h), byte(h >> 8)}
	return riffChunk("VP8 ", append(head, make([]byte, 2*modes+1)...)) // an odd length, for the padding
}

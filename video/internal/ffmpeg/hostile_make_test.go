package ffmpeg_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"testing"
)

// pixelBomb is a black square as PNG, some kilobytes for millions of pixels.
func pixelBomb(t *testing.T, side uint32) string {
	t.Helper()
	header := binary.BigEndian.AppendUint32(nil, side)
	header = binary.BigEndian.AppendUint32(header, side)
	header = append(header, 1, 0, 0, 0, 0) // one bit of grey
	var data bytes.Buffer
	z := zlib.NewWriter(&data)
	row := make([]byte, 1+side/8)
	for range side {
		if _, err := z.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return "\x89PNG\r\n\x1a\n" + chunk("IHDR", string(header)) + chunk("IDAT", data.String()) + chunk("IEND", "")
}

func chunk(kind, data string) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(b, kind+data...)
	return string(binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:])))
}

// refer makes a QuickTime film, whose moov is the last box, take its data from
// another file, and wipes out its own.
func refer(t *testing.T, film, other string) string {
	t.Helper()
	data := strings.Index(film, "mdat")
	moov := strings.Index(film, "moov") - 4
	if data < 0 || moov < data {
		t.Fatal("the film is not laid out as expected")
	}
	wiped := film[:data+4] + strings.Repeat("\x00", moov-data-4)
	return wiped + inBox(t, film[moov:], []string{"moov", "trak", "mdia", "minf", "dinf", "dref"}, alias(other))
}

// inBox replaces the content of the first box at a path.
func inBox(t *testing.T, boxes string, path []string, content string) string {
	t.Helper()
	for at := 0; at+8 <= len(boxes); {
		size := int(binary.BigEndian.Uint32([]byte(boxes[at:])))
		if size < 8 || at+size > len(boxes) {
			break
		}
		if boxes[at+4:at+8] == path[0] {
			if len(path) > 1 {
				content = inBox(t, boxes[at+8:at+size], path[1:], content)
			}
			return boxes[:at] + box(path[0], content) + boxes[at+size:]
		}
		at += size
	}
	t.Fatalf("no box %s", path[0])
	return ""
}

func box(kind, content string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(8+len(content)))) + kind + content
}

// alias is a list of data references with one, to a file by its whole path, in
// the form of old Macintosh systems.
func alias(path string) string {
	name := path[strings.LastIndex(path, "/")+1:]
	a := make([]byte, 150)
	a[10+1+27+12] = byte(len(name))
	copy(a[10+1+27+12+1:], name)
	a = a[:10+1+27+12+1+63+16+4+16] // zeros for the levels between the two: the path is absolute
	if len(path)%2 == 1 {
		path = "/" + path
	}
	a = binary.BigEndian.AppendUint16(a, 2)
	a = binary.BigEndian.AppendUint16(a, uint16(len(path)))
	a = append(a, path...)
	a = append(a, 0xff, 0xff, 0, 0)
	a = append(a, make([]byte, 64)...)
	return "\x00\x00\x00\x00\x00\x00\x00\x01" + box("alis", "\x00\x00\x00\x00"+string(a))
}

package ffmpeg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Input is a source: the bytes of one or more files, in order.
type Input struct{ Parts []Part }

// Part is the bytes of a file from 0 to Size; what follows them in the file does
// not count.
type Part struct {
	Path string // absolute
	Size int64
}

// MaxPixels is the area of the largest picture that is decoded.
const MaxPixels = 8192 * 8192

// containers are the formats that are opened: those that hold their own bytes.
// Playlists, lists of pictures and descriptions of streams are not among them,
// as they make ffmpeg open what they name.
const containers = "mov,matroska,avi,mpegts,mpeg,flv,asf,ogg,mxf,gxf,dv,wtv,ivf,rm," +
	"mp3,aac,flac,wav,w64,aiff,caf,amr"

// Args opens the source: the options that keep it from opening anything else,
// and -i. They may stand once in a list of arguments; what belongs to this input
// (-ss, -noaccurate_seek, …) comes before them.
//
// Several parts are listed on the standard input, as their names can be longer
// together than an argument may be.
func (in Input) Args() []string {
	protocols, name := "file,subfile", ""
	switch len(in.Parts) {
	case 0:
	case 1:
		name = in.Parts[0].address()
	default:
		protocols, name = "file,subfile,concatf,pipe", "concatf:pipe:0"
	}
	return []string{
		"-protocol_whitelist", protocols,
		"-format_whitelist", containers,
		"-max_pixels", strconv.Itoa(MaxPixels),
		"-max_streams", "64",
		"-i", name,
	}
}

// Size is how many bytes the source has.
func (in Input) Size() (n int64) {
	for _, p := range in.Parts {
		n += p.Size
	}
	return n
}

func (p Part) address() string {
	return fmt.Sprintf("subfile,,start,0,end,%d,,:%s", p.Size, p.Path)
}

// listing is what the standard input of the program says.
func (in Input) listing() string {
	if len(in.Parts) < 2 {
		return ""
	}
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	var b strings.Builder
	for _, p := range in.Parts {
		b.WriteString(quote.Replace(p.address()) + "\n")
	}
	return b.String()
}

// check finds what the program would stumble on, so that a file of ours that is
// missing is not taken for a fault of the source.
func (in Input) check() error {
	for _, p := range in.Parts {
		if !filepath.IsAbs(p.Path) || strings.ContainsAny(p.Path, "\r\n\x00") {
			return fmt.Errorf("the path %q of a part of the source must be absolute and on one line", p.Path)
		}
		info, err := os.Stat(p.Path)
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() || p.Size < 0 || info.Size() < p.Size {
			return fmt.Errorf("%s has %d bytes, %d are wanted", p.Path, info.Size(), p.Size)
		}
	}
	if len(in.Parts) > 0 && in.Size() == 0 {
		return errEmpty
	}
	return nil
}

var errEmpty = errors.New("the source is empty")

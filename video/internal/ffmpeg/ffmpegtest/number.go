package ffmpegtest

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"os/exec"
	"testing"
)

// FrameNumber reads the number from a picture of any size, but of the same
// proportions as the film, or says why there is none to be read.
func FrameNumber(picture image.Image) (int, error) {
	number := 0
	for block := range blocks {
		white, err := isWhite(picture, block)
		if err != nil {
			return 0, err
		}
		switch {
		case block == 0 && !white, block == 1 && white:
			return 0, fmt.Errorf("the picture has no number: block %d has the wrong colour", block)
		case block > 1 && white:
			number |= 1 << (blocks - 1 - block)
		}
	}
	return number, nil
}

// isWhite looks at the middle of a block.
func isWhite(picture image.Image, block int) (bool, error) {
	b := picture.Bounds()
	x := b.Min.X + (2*block+1)*b.Dx()/(2*blocks)
	y := b.Min.Y + b.Dy()/12
	light := color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y
	if light > 100 && light < 156 {
		return false, fmt.Errorf("block %d of the number is neither black nor white: %d", block, light)
	}
	return light >= 128, nil
}

// FrameNumbers decodes a film, with the given options before -i, and reads the
// number of every frame that it shows.
func FrameNumbers(t testing.TB, path string, options ...string) []int {
	t.Helper()
	const width, height = 16 * blocks, 96
	args := append([]string{"-nostdin", "-v", "error"}, options...)
	args = append(args, "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
		"-vf", fmt.Sprintf("scale=%d:%d:flags=area,format=gray", width, height), "-f", "rawvideo", "pipe:1")
	cmd := exec.Command("ffmpeg", args...)
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("decode %s: %v\n%s", path, err, &faults)
	}
	var numbers []int
	for ; len(out) >= width*height; out = out[width*height:] {
		picture := &image.Gray{Pix: out[:width*height], Stride: width, Rect: image.Rect(0, 0, width, height)}
		n, err := FrameNumber(picture)
		if err != nil {
			t.Fatalf("frame %d of %s: %v", len(numbers), path, err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

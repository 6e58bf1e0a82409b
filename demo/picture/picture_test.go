package picture_test

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"

	"stoa/demo/picture"
)

func TestPictureHasBothHalves(t *testing.T) {
	t.Parallel()
	drawn, err := picture.JPEG(picture.Night, picture.Morning)
	if err != nil {
		t.Fatal(err)
	}
	p, err := jpeg.Decode(bytes.NewReader(drawn))
	if err != nil {
		t.Fatal(err)
	}
	size := p.Bounds().Size()
	if size.X*3 != size.Y*4 {
		t.Errorf("got %v, want 4:3", size)
	}
	if first, second := light(p, 2, 2), light(p, size.X-3, 2); first >= second {
		t.Errorf("got light %d on the left and %d on the right, want the night on the left", first, second)
	}
}

func light(p image.Image, x, y int) uint32 {
	r, g, b, _ := p.At(x, y).RGBA()
	return r + g + b
}

func TestMarkIsClearAroundItsSign(t *testing.T) {
	t.Parallel()
	drawn, err := picture.Mark()
	if err != nil {
		t.Fatal(err)
	}
	p, err := png.Decode(bytes.NewReader(drawn))
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, corner := p.At(0, 0).RGBA()
	_, _, _, middle := p.At(p.Bounds().Dx()/3, p.Bounds().Dy()/2).RGBA()
	if corner != 0 || middle != 0xffff {
		t.Errorf("got opacity %d in the corner and %d in the sign, want 0 and %d", corner, middle, 0xffff)
	}
}

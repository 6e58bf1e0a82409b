package picture_test

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	"stoa/polls/internal/picture"
)

func TestPortraitBelongsToItsSeed(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for i := range 20 {
		seed := fmt.Sprint("user ", i)
		data := picture.Portrait(seed, 24)
		if !bytes.Equal(data, picture.Portrait(seed, 24)) {
			t.Errorf("%s: got two pictures", seed)
		}
		if other, ok := seen[string(data)]; ok {
			t.Errorf("%s looks like %s", seed, other)
		}
		seen[string(data)] = seed
	}
}

func TestPortraitIsMirrored(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 64, 65, 256} {
		img, err := png.Decode(bytes.NewReader(picture.Portrait("ann", size)))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != size || b.Dy() != size {
			t.Fatalf("got %v want %d", b, size)
		}
		for y := range size {
			for x := range size {
				if c := img.At(x, y); c != img.At(size-1-x, y) || c != img.At(x, size-1-y) {
					t.Fatalf("size %d: not mirrored at %d, %d", size, x, y)
				}
			}
		}
	}
}

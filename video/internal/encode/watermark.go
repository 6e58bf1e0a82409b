package encode

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Watermark says where an image stands on the video, in the words of the people
// who ask for it: "10px" are points of the source's picture, "10%" are parts of
// its width or height. Everything may be empty.
type Watermark struct {
	Top, Left, Bottom, Right string // distance of that edge
	Width, Height            string // of the image; also "initial"
	Opacity                  string // percent only

	ImageWidth, ImageHeight int    // points
	Format                  string // "png" or "jpeg"
}

// Overlay is an image in its place on the largest rendition, in points of it.
type Overlay struct {
	X       int     `json:"x"`
	Y       int     `json:"y"`
	Width   int     `json:"width"`
	Height  int     `json:"height"`
	Opacity float64 `json:"opacity"` // 0 to 1
	Format  string  `json:"format"`  // "png" or "jpeg"
}

// Check finds the first field that cannot be read, by its name in small letters.
func (w Watermark) Check() (field string, err error) {
	for _, f := range []struct{ name, value string }{
		{"top", w.Top}, {"left", w.Left}, {"bottom", w.Bottom}, {"right", w.Right},
	} {
		if _, _, err := length(f.value, 1); err != nil {
			return f.name, err
		}
	}
	for _, f := range []struct{ name, value string }{{"width", w.Width}, {"height", w.Height}} {
		if _, _, err := size(f.value, 1); err != nil {
			return f.name, err
		}
	}
	if _, err := opacity(w.Opacity); err != nil {
		return "opacity", err
	}
	return "", nil
}

// place puts the image on a picture of the source's display size, and scales
// both to the rendition. An image larger than the picture is made to fit. With
// both edges of a direction given, left and top win; with none, the image stands
// at the left and at the top.
func (w Watermark) place(width, height int, on Rendition) Overlay {
	wide, high := w.extent(float64(width), float64(height))
	x := position(w.Left, w.Right, float64(width), wide)
	y := position(w.Top, w.Bottom, float64(height), high)
	opaque, _ := opacity(w.Opacity)

	sx, sy := float64(on.Width)/float64(width), float64(on.Height)/float64(height)
	return Overlay{
		X: int(math.Round(x * sx)), Y: int(math.Round(y * sy)),
		Width: max(1, int(math.Round(wide*sx))), Height: max(1, int(math.Round(high*sy))),
		Opacity: opaque, Format: w.Format,
	}
}

// extent is the size of the image on the picture: one side alone keeps its shape.
func (w Watermark) extent(width, height float64) (wide, high float64) {
	naturalWide, naturalHigh := float64(max(1, w.ImageWidth)), float64(max(1, w.ImageHeight))
	wide, hasWide, _ := size(w.Width, width)
	high, hasHigh, _ := size(w.Height, height)
	switch {
	case !hasWide && !hasHigh:
		wide, high = naturalWide, naturalHigh
	case !hasHigh:
		high = wide * naturalHigh / naturalWide
	case !hasWide:
		wide = high * naturalWide / naturalHigh
	}
	if fit := min(width/max(1, wide), height/max(1, high)); fit < 1 {
		wide, high = wide*fit, high*fit
	}
	return wide, high
}

// position is where the image begins in one direction.
func position(near, far string, whole, extent float64) float64 {
	if at, ok, _ := length(near, whole); ok {
		return min(at, whole)
	}
	if at, ok, _ := length(far, whole); ok {
		return max(whole-at-extent, -extent)
	}
	return 0
}

// size is a length, where "initial" is as good as none.
func size(s string, whole float64) (n float64, given bool, err error) {
	if s == "initial" {
		return 0, false, nil
	}
	return length(s, whole)
}

// length reads "10px" or "10%" of whole.
func length(s string, whole float64) (n float64, given bool, err error) {
	if s == "" {
		return 0, false, nil
	}
	if digits, ok := strings.CutSuffix(s, "px"); ok {
		n, err = number(digits)
	} else if digits, ok := strings.CutSuffix(s, "%"); ok {
		n, err = number(digits)
		n *= whole / 100
	} else {
		err = strconv.ErrSyntax
	}
	if err != nil {
		return 0, false, fmt.Errorf("%.20q is no distance: write it as 10px or 10%%", s)
	}
	return n, true, nil
}

// opacity reads "70%"; nothing is 100%.
func opacity(s string) (float64, error) {
	if s == "" {
		return 1, nil
	}
	digits, ok := strings.CutSuffix(s, "%")
	n, err := number(digits)
	if !ok || err != nil || n > 100 {
		return 1, fmt.Errorf("%.20q is no opacity: write it as 0%% to 100%%", s)
	}
	return n / 100, nil
}

// number reads plain decimals from 0 to 100,000. ParseFloat alone would take
// "Inf", "0x10" and "1e3" as well.
func number(s string) (float64, error) {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, strconv.ErrSyntax
	}
	n, err := strconv.ParseFloat(s, 64)
	if err == nil && n > 100_000 {
		err = strconv.ErrRange
	}
	return n, err
}

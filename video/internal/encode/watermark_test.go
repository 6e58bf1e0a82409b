package encode

import "testing"

func TestWatermarkPlace(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mark Watermark
		want Overlay
	}{
		// The source is 1280x720, the largest rendition half of it.
		"nothing said":   {Watermark{}, Overlay{X: 0, Y: 0, Width: 100, Height: 50, Opacity: 1}},
		"right, bottom":  {Watermark{Right: "20px", Bottom: "10%"}, Overlay{X: 530, Y: 274, Width: 100, Height: 50, Opacity: 1}},
		"left wins":      {Watermark{Left: "20px", Right: "20px", Top: "50%", Bottom: "1px"}, Overlay{X: 10, Y: 180, Width: 100, Height: 50, Opacity: 1}},
		"keeps shape":    {Watermark{Width: "50%"}, Overlay{Width: 320, Height: 160, Opacity: 1}},
		"height alone":   {Watermark{Width: "initial", Height: "72px"}, Overlay{Width: 72, Height: 36, Opacity: 1}},
		"both sides":     {Watermark{Width: "100px", Height: "100px", Opacity: "70%"}, Overlay{Width: 50, Height: 50, Opacity: 0.7}},
		"larger fits":    {Watermark{Width: "1000%"}, Overlay{Width: 640, Height: 320, Opacity: 1}},
		"nothing of it":  {Watermark{Width: "0px", Left: "100000px"}, Overlay{X: 640, Width: 1, Height: 1, Opacity: 1}},
		"out of the top": {Watermark{Bottom: "100000px"}, Overlay{Y: -50, Width: 100, Height: 50, Opacity: 1}},
	} {
		test.mark.ImageWidth, test.mark.ImageHeight = 200, 100
		if got := test.mark.place(1280, 720, Rendition{Width: 640, Height: 360}); got != test.want {
			t.Errorf("%s: got %+v want %+v", name, got, test.want)
		}
	}
}

func TestWatermarkCheck(t *testing.T) {
	t.Parallel()
	good := Watermark{Top: "0px", Left: "1.5%", Width: "initial", Height: "10px", Opacity: "100%"}
	if field, err := good.Check(); err != nil {
		t.Errorf("got %s: %v want no error", field, err)
	}
	for want, mark := range map[string]Watermark{
		"top":     {Top: "initial"},
		"left":    {Left: "-1px"},
		"bottom":  {Bottom: "1e3px"},
		"right":   {Right: "Inf%"},
		"width":   {Width: "10"},
		"height":  {Height: "1000000px"},
		"opacity": {Opacity: "0.7"},
	} {
		if field, err := mark.Check(); field != want || err == nil {
			t.Errorf("%+v: got field %q (%v) want %q", mark, field, err, want)
		}
	}
	if field, err := (Watermark{Opacity: "101%"}).Check(); field != "opacity" {
		t.Errorf("got field %q (%v) want opacity", field, err)
	}
}

package ffmpeg

import "testing"

func TestRateOfAFilm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, average, grid string
		want                Rate
		variable            bool
	}{
		{"even", "25/1", "25/1", Rate{25, 1}, false},
		{"even by a fraction", "30000/1001", "30000/1001", Rate{30000, 1001}, false},
		{"measured to a hair", "2997003/100001", "30000/1001", Rate{30000, 1001}, false},
		{"milliseconds of a container", "11988/500", "24000/1001", Rate{24000, 1001}, false},
		{"written in milliseconds", "19001/317", "60000/1001", Rate{60000, 1001}, false},
		{"unusual but even", "37/2", "37/2", Rate{37, 2}, false},
		{"fields", "25/1", "50/1", Rate{25, 1}, false},
		{"long numbers", "1234567/89012", "1234567/89012", Rate{1387, 100}, false},
		{"a phone", "359100/11993", "120/1", Rate{30000, 1001}, true},
		{"a screen", "1337/100", "60/1", Rate{15, 1}, true},
		{"a slide show", "1/36000", "1/36000", Rate{1, 1}, false},
		{"a slide show with haste", "1/100", "90000/1", Rate{1, 1}, true},
		{"no average", "0/0", "30/1", Rate{30, 1}, false},
		{"no grid", "30/1", "0/0", Rate{30, 1}, false},
		{"a clock for a grid", "30/1", "90000/1", Rate{30, 1}, true},
		{"very fast", "960/1", "480/1", Rate{240, 1}, true},
		{"nothing", "0/0", "90000/1", Rate{25, 1}, true},
		{"nonsense", "-1/x", "", Rate{25, 1}, true},
	}
	for _, test := range tests {
		if got, variable := chooseRate(test.average, test.grid); got != test.want || variable != test.variable {
			t.Errorf("%s: got %v, variable %v, want %v, %v", test.name, got, variable, test.want, test.variable)
		}
	}
}

func TestUnknownRateHasNoFrames(t *testing.T) {
	t.Parallel()
	if got := (Rate{}).Frame(); got != 0 {
		t.Errorf("got %v, want 0", got)
	}
}

func FuzzRate(f *testing.F) {
	f.Add("30000/1001", "30/1")
	f.Add("1/36000", "0/0")
	f.Add("2147483647/2147483646", "1/2147483647")
	f.Fuzz(func(t *testing.T, average, grid string) {
		r, _ := chooseRate(average, grid)
		if r.Num <= 0 || r.Den <= 0 || r.Num > 1_000_000 || r.Den > 1001 || r.Float() < 0.99 || r.Float() > 1000 || r.Frame() <= 0 {
			t.Errorf("%q, %q: got %v", average, grid, r)
		}
	})
}

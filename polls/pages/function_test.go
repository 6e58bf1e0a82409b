package pages

import "testing"

func TestNumber(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0", 999: "999", 1204: "1,204", 12044012: "12,044,012"} {
		if got := number(n); got != want {
			t.Errorf("got %q for %d, want %q", got, n, want)
		}
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "0%"}, {0, 9, "0%"}, {5, 0, "0%"}, {1, 3, "33.3%"}, {1, 1_000_000, "0.5%"}, {9, 9, "100.0%"}, {10, 9, "100.0%"},
	} {
		if got := share(c.part, c.whole); got != c.want {
			t.Errorf("got %q for %d of %d, want %q", got, c.part, c.whole, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	t.Parallel()
	for seconds, want := range map[int64]string{0: "0 s", 59: "59 s", 200: "3 min 20 s", 18120: "5 h 2 min", 36_000_000: "10,000 h 0 min"} {
		if got := duration(seconds); got != want {
			t.Errorf("got %q for %d, want %q", got, seconds, want)
		}
	}
}

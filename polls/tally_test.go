package polls

import (
	"testing"

	"pgregory.net/rapid"
)

func TestPercentages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, first, second int64 }{
		{0, 0, 0, 0},
		{1, 0, 100, 0},
		{0, 7, 0, 100},
		{1, 1, 50, 50},
		{1, 2, 33, 67},
		{2, 1, 67, 33},
		{1, 7, 13, 87}, // 12.5 is rounded up
		{7, 1, 88, 12},
		{1, 999_999, 1, 99}, // one vote is not nothing
		{999_999, 1, 99, 1},
		{5_000_000_000, 5_000_000_000, 50, 50},
	} {
		if first, second := (tally{c.a, c.b}).percentages(); first != c.first || second != c.second {
			t.Errorf("%d to %d: got %d and %d want %d and %d", c.a, c.b, first, second, c.first, c.second)
		}
	}
}

func TestPercentagesAndWinnerAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{3, 300, 1 << 40}).Draw(t, "most")
		votes := tally{rapid.Int64Range(0, most).Draw(t, "first"), rapid.Int64Range(0, most).Draw(t, "second")}
		first, second := votes.percentages()
		if votes.total() > 0 && first+second != 100 {
			t.Errorf("%v: got %d%% and %d%% want a sum of 100", votes, first, second)
		}
		if (votes.first > 0) != (first > 0) || (votes.second > 0) != (second > 0) {
			t.Errorf("%v: got %d%% and %d%% want 0 where there are no votes, and only there", votes, first, second)
		}
		firstWins, secondWins := votes.winning()
		if firstWins != (votes.first > votes.second) || secondWins != (votes.second > votes.first) {
			t.Errorf("%v: got %v, %v want the one with more votes", votes, firstWins, secondWins)
		}
	})
}

package polls

// tally is how many standing votes each choice has.
type tally struct{ first, second int64 }

func (t *tally) add(choice int, n int64) {
	switch choice {
	case 1:
		t.first += n
	case 2:
		t.second += n
	}
}

func (t tally) total() int64 { return t.first + t.second }

// percentages are whole, rounded half up, and sum to 100 unless nobody voted. A
// choice that has a vote does not show 0, nor its opponent 100.
func (t tally) percentages() (first, second int64) {
	n := t.total()
	if n == 0 {
		return 0, 0
	}
	first = (200*t.first + n) / (2 * n)
	if t.first > 0 && t.second > 0 {
		first = min(max(first, 1), 99)
	}
	return first, 100 - first
}

// winning has at most one true: a tie has no winner.
func (t tally) winning() (first, second bool) { return t.first > t.second, t.second > t.first }

package polls

import (
	"stoa/internal/db"
	"stoa/polls/internal/credential"
)

// countedVote is a voter's row: as found, and as the group leaves it.
type countedVote struct {
	voteKey
	ballots []*ballot // in the order they came
	old     voteRow   // choice 0: no row
	new     voteRow
	stored  bool // new is in the database already
}

type voteKey struct {
	poll  int64
	voter credential.Voter
}

// voteRow is a standing vote. choice 0: there is none.
type voteRow struct {
	id, user          int64
	choice            int
	castAt, changedAt int64
	seal              seal
}

// fold applies the ballots to the row that was found. What is a no-op is decided
// here. A switch keeps the vote's number, its embed and its time of voting; a vote
// after a removal is a new one.
func (v *countedVote) fold() {
	v.new = v.old
	for _, b := range v.ballots {
		switch at := db.Micros(b.at); {
		case b.choice == v.new.choice:
		case b.choice == 0:
			v.new = voteRow{}
		case v.new.choice == 0:
			v.new = voteRow{user: b.user, choice: b.choice, castAt: at, changedAt: at, seal: b.seal}
		default:
			v.new.choice, v.new.changedAt = b.choice, at
		}
	}
}

// fresh tells whether the vote, which has its number, did not stand before.
func (v *countedVote) fresh() bool { return v.new.choice != 0 && v.new.id != v.old.id }

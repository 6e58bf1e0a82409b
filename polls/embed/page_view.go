package embed

import (
	"cmp"
	"crypto/rand"
	"slices"

	"stoa/polls/internal/text"
)

// pageView is a Page in the words and with the numbers that its template shows.
type pageView struct {
	frame
	Page       Page
	Direction  string // of the poll, which may be another than that of the page
	Choices    [2]choiceView
	Shown      bool // the results are
	Total      string
	Back, Next int64 // ids of polls; 0: there is none
	Position   string
	Data       pageData
}

type choiceView struct {
	Choice
	Number           int
	Own, Winning     bool
	Percents, Counts string
}

// pageData is what the script reads.
type pageData struct {
	Poll    pollData `json:"poll"`
	PollIDs []int64  `json:"pollIDs"`
	Words   words    `json:"words"`
}

// pollData has the names that the script gives to what the API tells of a poll.
type pollData struct {
	ID      int64     `json:"id"`
	URL     string    `json:"url"`
	Caption string    `json:"caption"`
	Names   [2]string `json:"names"`
	Counts  [2]int64  `json:"counts"`
	Vote    int       `json:"vote"`

	Picture     string  `json:"picture"`
	PictureSize *[2]int `json:"pictureSize"` // width and height; null when they are not known
}

func newPageView(p Page, nonce string) pageView {
	p.ViewID = cmp.Or(p.ViewID, rand.Text())
	f := newFrame(p.Lang, p.Theme, p.Environment, nonce)
	w := f.Words
	if len(p.PollIDs) == 0 {
		p.PollIDs = []int64{p.Poll.ID}
	}
	first, second := p.Poll.Choices[0], p.Poll.Choices[1]
	v := pageView{
		Page:      p,
		frame:     f,
		Direction: text.Direction(p.Poll.Caption),
		Shown:     p.ShowResults || p.Poll.UserVote != 0,
		Total:     w.votes(first.Votes + second.Votes),
		Data:      pageData{pollDataOf(p.Poll), p.PollIDs, w},
	}
	for i, c := range p.Poll.Choices {
		v.Choices[i] = choiceView{
			Choice:   c,
			Number:   i + 1,
			Own:      p.Poll.UserVote == i+1,
			Winning:  c.Votes > p.Poll.Choices[1-i].Votes,
			Percents: w.percent(c.Percentage),
			Counts:   w.votes(c.Votes),
		}
	}
	v.place()
	return v
}

// place finds the neighbours of the poll in its set.
func (v *pageView) place() {
	at := slices.Index(v.Page.PollIDs, v.Page.Poll.ID)
	if at > 0 {
		v.Back = v.Page.PollIDs[at-1]
	}
	if at+1 < len(v.Page.PollIDs) {
		v.Next = v.Page.PollIDs[at+1]
	}
	v.Position = v.Words.position(max(at, 0)+1, len(v.Page.PollIDs))
}

func pollDataOf(p Poll) pollData {
	d := pollData{
		ID:      p.ID,
		URL:     p.URL,
		Caption: p.Caption,
		Names:   [2]string{p.Choices[0].Name, p.Choices[1].Name},
		Counts:  [2]int64{p.Choices[0].Votes, p.Choices[1].Votes},
		Vote:    p.UserVote,
		Picture: p.Image.URL,
	}
	if p.Image.Width > 0 {
		d.PictureSize = &[2]int{p.Image.Width, p.Image.Height}
	}
	return d
}

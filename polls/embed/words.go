package embed

import (
	"strconv"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
)

// words is what the page says in one language; the script reads the same. {n},
// {total}, {choice} and {caption} are places to fill.
type words struct {
	Lang        string     `json:"lang"`
	Direction   string     `json:"-"`
	Poll        string     `json:"-"`
	Group       string     `json:"group"` // between thousands
	Percent     string     `json:"percent"`
	Votes       voteCounts `json:"votes"`
	Vote        string     `json:"-"` // a verb, on a button
	YourVote    string     `json:"-"`
	SeeResults  string     `json:"seeResults"`
	HideResults string     `json:"hideResults"`
	Undo        string     `json:"-"`
	Open        string     `json:"-"`
	Hint        string     `json:"-"`
	Voted       string     `json:"voted"`
	Removed     string     `json:"removed"`

	Offline string `json:"offline"`
	Busy    string `json:"busy"`
	Failed  string `json:"failed"`
	Later   string `json:"later"`
	Gone    string `json:"gone"`

	Questions   string `json:"-"`
	Position    string `json:"position"`
	Question    string `json:"question"`
	Back        string `json:"-"`
	Next        string `json:"next"`
	Finish      string `json:"finish"`
	Thanks      string `json:"-"`
	Answered    string `json:"answered"`
	NotAnswered string `json:"notAnswered"`
	Again       string `json:"-"`
}

// voteCounts has the forms that a language needs, by the names of CLDR, which a
// browser knows too; other is always there.
type voteCounts map[string]string

var pluralNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
}

// wordsIn takes the language of a tag such as de-AT; English when it is unknown.
func wordsIn(tag string) words {
	name, _, _ := strings.Cut(strings.ToLower(tag), "-")
	for _, w := range languages {
		if w.Lang == name {
			return w
		}
	}
	return languages[0]
}

func (w words) votes(n int64) string {
	form := plural.Cardinal.MatchPlural(language.Make(w.Lang), int(n), 0, 0, 0, 0)
	text, ok := w.Votes[pluralNames[form]]
	if !ok {
		text = w.Votes["other"]
	}
	return strings.ReplaceAll(text, "{n}", w.number(n))
}

func (w words) percent(n int64) string {
	return strings.ReplaceAll(w.Percent, "{n}", strconv.FormatInt(n, 10))
}

func (w words) position(n, total int) string {
	return strings.NewReplacer("{n}", strconv.Itoa(n), "{total}", strconv.Itoa(total)).Replace(w.Position)
}

// number groups the digits of a count by thousands.
func (w words) number(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + w.Group + digits[at:]
	}
	return digits
}

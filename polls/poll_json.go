package polls

import "stoa/polls/internal/postform"

// pollJSON is a poll on the wire. Which of its parts are there depends on the
// place it is shown in.
type pollJSON struct {
	Success       bool          `json:"success,omitzero"`
	PollID        int64         `json:"pollID"`
	URL           string        `json:"url"`
	ShortURL      string        `json:"shortUrl"`
	Caption       string        `json:"caption"`
	PollType      string        `json:"pollType"`
	Created       string        `json:"created"`
	Public        bool          `json:"public"`
	Private       *bool         `json:"private,omitzero"`
	Creator       creatorJSON   `json:"creator"`
	Choices       []choiceJSON  `json:"choices"`
	Images        []imageJSON   `json:"images"`
	VoteCount     int64         `json:"voteCount"`
	FavoriteCount int64         `json:"favoriteCount"`
	CommentCount  int64         `json:"commentCount"`
	Comments      []commentJSON `json:"comments"`
	*pollDetails
	*pollUpload
}

// pollDetails is what a single poll has and a list does not.
type pollDetails struct {
	FirstChoiceName  string `json:"firstChoiceName"`
	SecondChoiceName string `json:"secondChoiceName"`
	resultsJSON
	Image        *imageJSON        `json:"image"`
	ImageSources []imageSourceJSON `json:"imageSources"`
	UserVote     int               `json:"userVote,omitzero"`
	UserVoteDate string            `json:"userVoteDate,omitzero"`
	Votes        []voteJSON        `json:"votes"`
}

// resultsJSON is how a poll stands.
type resultsJSON struct {
	FirstChoiceVoteCount   int64 `json:"firstChoiceVoteCount"`
	SecondChoiceVoteCount  int64 `json:"secondChoiceVoteCount"`
	FirstChoicePercentage  int64 `json:"firstChoicePercentage"`
	SecondChoicePercentage int64 `json:"secondChoicePercentage"`
	FirstWinning           bool  `json:"firstWinning"`
	SecondWinning          bool  `json:"secondWinning"`
}

// pollUpload is what the creator of a poll needs to give it its image.
type pollUpload struct {
	ImageID    int64      `json:"imageID"`
	UploadData uploadJSON `json:"uploadData"`
}

type uploadJSON struct {
	PostURL  string        `json:"postUrl"`
	FormData postform.Form `json:"formData"`
}

type creatorJSON struct {
	UserID            int64  `json:"userID"`
	Name              string `json:"name"`
	Username          string `json:"username"`
	ProfilePhotoSmall string `json:"profilePhotoSmall"`
}

type choiceJSON struct {
	Name      string `json:"name"`
	SortOrder int    `json:"sortOrder"`
	VoteCount int64  `json:"voteCount"`
	IsWinning *bool  `json:"isWinning,omitzero"`
}

type imageJSON struct {
	SortOrder int    `json:"sortOrder"`
	URL       string `json:"url"`
	LargeURL  string `json:"largeUrl"`
}

type imageSourceJSON struct {
	SortOrder    int    `json:"sortOrder"`
	FullURL      string `json:"fullUrl"`
	ContextURL   string `json:"contextUrl"`
	PublicDomain *bool  `json:"publicDomain"`
}

type commentJSON struct {
	Success           bool   `json:"success,omitzero"`
	CommentID         int64  `json:"commentID"`
	Body              string `json:"body"`
	Date              string `json:"date"`
	UserID            int64  `json:"userID"`
	Username          string `json:"username"`
	ProfilePhotoSmall string `json:"profilePhotoSmall"`
}

type voteJSON struct {
	VoteID            int64   `json:"voteID"`
	UserID            *int64  `json:"userID"`
	AnonymousUserID   string  `json:"anonymousUserID,omitzero"`
	Name              *string `json:"name"`
	Username          string  `json:"username"`
	Choice            int     `json:"choice"`
	Date              string  `json:"date"`
	ProfilePhotoSmall string  `json:"profilePhotoSmall"`
}

const pollType = "single-photo"

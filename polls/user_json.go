package polls

import (
	"context"
	"fmt"

	"stoa/internal/db"
)

// userJSON is an account on the wire. Which of its parts are there depends on who
// asks, and where.
type userJSON struct {
	Success           bool      `json:"success,omitzero"`
	UserID            int64     `json:"userID"`
	Username          string    `json:"username"`
	Name              string    `json:"name"`
	Location          string    `json:"location"`
	URL               string    `json:"url"`
	TwitterUsername   string    `json:"twitter_username"`
	SocialUsername    string    `json:"social_username"` // the same under a name of today
	ProfilePhotoLarge string    `json:"profilePhotoLarge"`
	ProfilePhotoSmall string    `json:"profilePhotoSmall"`
	AuthToken         string    `json:"authToken,omitzero"`
	Publisher         *teamJSON `json:"publisher,omitzero"`
	*profileJSON
	*ownJSON
}

// teamJSON is the publisher whose team somebody is in.
type teamJSON struct {
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
}

// profileJSON is what everybody may see of an account.
type profileJSON struct {
	Website string `json:"website"`
	About   string `json:"about"`
	userCounts
}

// userCounts leave out what belongs to deleted polls.
type userCounts struct {
	PollsCreatedCount      int64 `json:"pollsCreatedCount"`
	PollsVotedOnCount      int64 `json:"pollsVotedOnCount"`
	VotesReceivedCount     int64 `json:"votesReceivedCount"`
	FavoriteCount          int64 `json:"favoriteCount"`
	FavoritesReceivedCount int64 `json:"favoritesReceivedCount"`
	CommentsCount          int64 `json:"commentsCount"`
	CommentsReceivedCount  int64 `json:"commentsReceivedCount"`
	FollowingCount         int64 `json:"followingCount"`
	FollowedByCount        int64 `json:"followedByCount"`
}

// ownJSON is what only the account itself may see.
type ownJSON struct {
	Email           string  `json:"email"`
	Confirmed       bool    `json:"confirmed"`
	FollowingIDs    []int64 `json:"following_ids"`
	FavoritePollIDs []int64 `json:"favorite_poll_ids"`
}

// user is an account as it is shown everywhere.
func (e encoder) user(a *account) *userJSON {
	return &userJSON{
		UserID: a.id, Username: a.username, Name: a.name, Location: a.location, URL: "/users/" + a.username,
		TwitterUsername: a.social, SocialUsername: a.social,
		ProfilePhotoLarge: e.portrait(a.id, largePortrait), ProfilePhotoSmall: e.portrait(a.id, smallPortrait),
	}
}

// profile is an account as everybody sees it.
func (s *Service) profile(ctx context.Context, username string) (*userJSON, error) {
	var j *userJSON
	err := s.db.InSnapshot(ctx, func(q *db.Tx) error {
		a, err := accountNamed(ctx, q, username)
		if err != nil {
			return err
		}
		j = s.encoder.user(a)
		j.profileJSON, err = readProfile(ctx, q, a)
		return err
	})
	return j, err
}

// self is an account as it sees itself, after a write.
func (s *Service) self(ctx context.Context, a *account, token string) (*userJSON, error) {
	j := s.encoder.user(a)
	j.Success, j.AuthToken, j.ownJSON = true, token, &ownJSON{Email: a.email, Confirmed: a.confirmed}
	err := s.db.InSnapshot(ctx, func(q *db.Tx) (err error) {
		if j.Publisher, err = readTeamOf(ctx, q, a.id); err != nil {
			return err
		}
		if j.profileJSON, err = readProfile(ctx, q, a); err != nil {
			return err
		}
		if j.FollowingIDs, err = readIDs(ctx, q, "SELECT followed_id FROM follows WHERE follower_id = $1 ORDER BY followed_id", a.id); err != nil {
			return err
		}
		j.FavoritePollIDs, err = readIDs(ctx, q, `SELECT poll_id FROM favorites JOIN polls ON polls.id = poll_id
			WHERE user_id = $1 AND state < 2 ORDER BY favorites.created_at DESC, poll_id DESC`, a.id)
		return err
	})
	return j, err
}

func readProfile(ctx context.Context, q querier, a *account) (*profileJSON, error) {
	counts, err := readUserCounts(ctx, q, a.id)
	return &profileJSON{a.website, a.about, counts}, err
}

func readUserCounts(ctx context.Context, q querier, user int64) (n userCounts, err error) {
	err = q.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM polls WHERE creator_id = $1 AND state = 1),
		(SELECT count(*) FROM votes JOIN polls ON polls.id = poll_id WHERE user_id = $1 AND state < 2),
		(SELECT CAST(COALESCE(sum(first_votes + second_votes), 0) AS BIGINT) FROM polls WHERE creator_id = $1 AND state < 2),
		(SELECT count(*) FROM favorites JOIN polls ON polls.id = poll_id WHERE user_id = $1 AND state < 2),
		(SELECT CAST(COALESCE(sum(favorite_count), 0) AS BIGINT) FROM polls WHERE creator_id = $1 AND state < 2),
		(SELECT count(*) FROM comments JOIN polls ON polls.id = poll_id WHERE user_id = $1 AND state < 2),
		(SELECT CAST(COALESCE(sum(comment_count), 0) AS BIGINT) FROM polls WHERE creator_id = $1 AND state < 2),
		(SELECT count(*) FROM follows WHERE follower_id = $1),
		(SELECT count(*) FROM follows WHERE followed_id = $1)`, user).Scan(
		&n.PollsCreatedCount, &n.PollsVotedOnCount, &n.VotesReceivedCount, &n.FavoriteCount, &n.FavoritesReceivedCount,
		&n.CommentsCount, &n.CommentsReceivedCount, &n.FollowingCount, &n.FollowedByCount)
	if err != nil {
		return n, fmt.Errorf("count for user %d: %w", user, err)
	}
	return n, nil
}

// readTeamOf is the publisher that somebody belongs to, nil for none.
func readTeamOf(ctx context.Context, q querier, user int64) (*teamJSON, error) {
	rows, err := q.Query(ctx, `SELECT publishers.id, publishers.name, display_name FROM members
		JOIN publishers ON publishers.id = publisher_id WHERE user_id = $1`, user)
	if err != nil {
		return nil, fmt.Errorf("read the team of user %d: %w", user, err)
	}
	defer rows.Close()
	var team *teamJSON
	for rows.Next() { // at most one
		team = new(teamJSON)
		if err := rows.Scan(&team.ID, &team.Name, &team.DisplayName); err != nil {
			return nil, fmt.Errorf("read the team of user %d: %w", user, err)
		}
	}
	return team, rows.Err()
}

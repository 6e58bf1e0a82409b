package polls

import (
	"context"
	"fmt"

	"stoa/internal/db"
)

func readStatistics(ctx context.Context, q querier, publisher int64) ([]EmbedStatistics, EmbedNumbers, error) {
	var total EmbedNumbers
	embeds, err := readEmbeds(ctx, q, publisher)
	if err != nil {
		return nil, total, err
	}
	all := make([]EmbedStatistics, len(embeds))
	byID := make(map[int64]*EmbedNumbers, len(embeds))
	for i, e := range embeds {
		all[i].Embed = e
		byID[e.ID] = &all[i].EmbedNumbers
	}
	if err := readViews(ctx, q, publisher, byID); err != nil {
		return nil, total, err
	}
	if err := readSealedVotes(ctx, q, publisher, byID); err != nil {
		return nil, total, err
	}
	for _, e := range all {
		total.Views += e.Views
		total.Votes += e.Votes
		total.VotingMS += e.VotingMS
	}
	total.Viewers, total.Voters, err = readPeople(ctx, q, publisher)
	return all, total, err
}

func readViews(ctx context.Context, q querier, publisher int64, embeds map[int64]*EmbedNumbers) error {
	rows, err := q.Query(ctx, "SELECT id, views, viewers FROM embeds WHERE publisher_id = $1", publisher)
	if err != nil {
		return fmt.Errorf("read views of embeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, views, viewers int64
		if err := rows.Scan(&id, &views, &viewers); err != nil {
			return fmt.Errorf("read views of embeds: %w", err)
		}
		embeds[id].Views, embeds[id].Viewers = views, viewers
	}
	return rows.Err()
}

// sealedVotes are the votes that came through embeds of publisher $1. Those of
// deleted polls are kept for a while, and count no more.
const sealedVotes = `votes WHERE embed_id IN (SELECT id FROM embeds WHERE publisher_id = $1)
	AND poll_id NOT IN (SELECT id FROM polls WHERE state = 2)`

func readSealedVotes(ctx context.Context, q querier, publisher int64, embeds map[int64]*EmbedNumbers) error {
	rows, err := q.Query(ctx, `SELECT embed_id, count(*), count(DISTINCT voter), CAST(sum(voting_ms) AS BIGINT), min(cast_at), max(cast_at)
		FROM `+sealedVotes+` GROUP BY embed_id`, publisher)
	if err != nil {
		return fmt.Errorf("read votes of embeds: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var n EmbedNumbers
		var id, first, last int64
		if err := rows.Scan(&id, &n.Votes, &n.Voters, &n.VotingMS, &first, &last); err != nil {
			return fmt.Errorf("read votes of embeds: %w", err)
		}
		n.Views, n.Viewers = embeds[id].Views, embeds[id].Viewers
		n.FirstVote, n.LastVote = db.Time(first), db.Time(last)
		*embeds[id] = n
	}
	return rows.Err()
}

// readPeople counts those who met several embeds once.
func readPeople(ctx context.Context, q querier, publisher int64) (viewers, voters int64, err error) {
	err = q.QueryRow(ctx, "SELECT viewers, (SELECT count(DISTINCT voter) FROM "+sealedVotes+") FROM publishers WHERE id = $1", publisher).
		Scan(&viewers, &voters)
	if err != nil {
		return 0, 0, fmt.Errorf("count people of embeds: %w", err)
	}
	return viewers, voters, nil
}

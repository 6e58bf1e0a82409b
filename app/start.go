package app

import (
	"context"

	"stoa/polls"
	"stoa/video"
)

// startTag is that of videos which the start page may show.
const startTag = "start-page"

// neighbours is what the start page of the polls shows of the videos, if they are
// served by this process.
func (e *environment) neighbours(ctx context.Context) (polls.Neighbours, error) {
	for _, r := range e.rooms {
		service, ok := r.service.(*video.Service)
		if !ok {
			continue
		}
		player, title, err := service.Showcase(ctx, startTag)
		return polls.Neighbours{VideoDocs: service.Origin + "/docs", VideoTitle: title, Player: player}, err
	}
	return polls.Neighbours{}, nil
}

package app

import (
	"context"

	"stoa/console"
	"stoa/polls"
)

// startTag is that of videos which the start page may show.
const startTag = "start-page"

// neighbours is what the start page of the polls shows of the videos, if they are
// served by this process.
func (e *environment) neighbours(ctx context.Context) (polls.Neighbours, error) {
	service := e.video()
	if service == nil {
		return polls.Neighbours{OperatorDocs: console.DocsPath}, nil
	}
	player, title, err := service.Showcase(ctx, startTag)
	return polls.Neighbours{OperatorDocs: console.DocsPath, VideoDocs: service.Origin + "/docs", VideoTitle: title, Player: player}, err
}

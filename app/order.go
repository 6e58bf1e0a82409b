package app

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// runInOrder runs until the context ends or something fails, and then stops in order:
// first the fronts, which callers meet, then the backs, which those stand on.
func runInOrder(ctx context.Context, fronts, backs []func(context.Context) error) error {
	front, frontCtx := errgroup.WithContext(ctx)
	back, backCtx := errgroup.WithContext(context.WithoutCancel(ctx))
	backCtx, endBacks := context.WithCancel(backCtx)
	defer endBacks()
	for _, run := range backs {
		back.Go(func() error { return run(backCtx) })
	}
	for _, run := range fronts {
		front.Go(func() error { return run(frontCtx) })
	}
	front.Go(func() error { // a back that fails ends the fronts
		select {
		case <-frontCtx.Done():
			return nil
		case <-backCtx.Done():
			return context.Cause(backCtx)
		}
	})
	frontErr := front.Wait()
	endBacks()
	if err := back.Wait(); err != nil {
		return err
	}
	return frontErr
}

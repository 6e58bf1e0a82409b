package app

import (
	"context"
	"fmt"

	"stoa/polls"
	"stoa/video"
)

// What is made on an empty database is shown this once. It is no line of the log,
// which is kept and sent around.

// welcomeOperator makes the account of the operator.
func (e *environment) welcomeOperator(ctx context.Context, service *polls.Service, origin string) error {
	username, password, err := service.FirstOperator(ctx)
	if err != nil {
		return fmt.Errorf("make the account of the operator: %w", err)
	}
	if username == "" {
		return nil
	}
	fmt.Fprintf(e.app.cfg.Options.Stderr, `
  %s is empty, so there is now an account for its operator. It is shown this once:

    address   %s/login
    username  %s
    password  %s
    console   %[2]s/console

  To see it with something in it, run this in another terminal:

    %[5]s

`, e.place.environment, origin, username, password, demoCommand(e.place.environment))
	return nil
}

// demoCommand fills an environment with examples.
func demoCommand(environment string) string {
	if environment == production {
		return "bin/stoa demo"
	}
	return "bin/stoa demo --environment " + environment
}

// welcomeDeveloper makes the first API key of the videos.
func (e *environment) welcomeDeveloper(ctx context.Context, service *video.Service, origin string) error {
	key, err := service.FirstKey(ctx)
	if err != nil {
		return fmt.Errorf("make the first API key: %w", err)
	}
	if key == "" {
		return nil
	}
	fmt.Fprintf(e.app.cfg.Options.Stderr, `
  %s has no videos yet, so there is now an API key for them. It is shown this once:

    address  %s
    API key  %s

`, e.place.environment, origin, key)
	return nil
}

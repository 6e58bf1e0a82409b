package app

import (
	"context"
	"fmt"

	"stoa/polls"
)

// welcome makes the account of the operator on an empty database, and shows it
// this once. It is no line of the log, which is kept and sent around.
func (e *environment) welcome(ctx context.Context, service *polls.Service, origin string) error {
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

`, e.place.environment, origin, username, password)
	return nil
}

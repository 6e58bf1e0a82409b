package polls

import (
	"context"
	"crypto/rand"
	"errors"

	"stoa/polls/internal/wire"
)

// The account that an empty database gets.
const (
	firstOperator      = "operator"
	firstOperatorEmail = "operator@localhost"
)

// FirstOperator makes an operator's account on a database without any, and returns
// its name and password, which is nowhere to be read again. Otherwise both are
// empty. Of processes that start at once, one makes it.
func (s *Service) FirstOperator(ctx context.Context) (username, password string, err error) {
	for _, err := range s.Users(ctx) {
		return "", "", err // there is somebody
	}
	password = rand.Text()
	_, err = s.CreateUser(ctx, NewUser{Username: firstOperator, Email: firstOperatorEmail, Password: password, Operator: true})
	if refusal, ok := errors.AsType[*wire.Error](err); ok && refusal.Code == wire.UsernameTaken {
		return "", "", nil // another process was first
	}
	if err != nil {
		return "", "", err
	}
	return firstOperator, password, nil
}

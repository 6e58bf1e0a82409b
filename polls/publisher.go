package polls

import (
	"context"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// Publisher is an organisation that embeds polls. People are in one team at most.
type Publisher struct {
	ID                int64
	Name, DisplayName string
}

// Member is somebody of a publisher's team.
type Member struct {
	UserID         int64
	Username, Name string
	Owner          bool // may change the team
}

// CreatePublisher is for operators: it makes a publisher for an account.
func (s *Service) CreatePublisher(ctx context.Context, name, displayName, owner string) (Publisher, error) {
	a, err := accountNamed(ctx, s.db, owner)
	if err != nil {
		return Publisher{}, err
	}
	return s.createPublisher(ctx, a.id, name, displayName)
}

// createPublisher makes a publisher of which the user is the owner.
func (s *Service) createPublisher(ctx context.Context, user int64, name, displayName string) (Publisher, error) {
	var p Publisher
	var err error
	if p.Name, err = needText("name", name, text.PublisherName); err != nil {
		return Publisher{}, err
	}
	if p.DisplayName, err = needText("display_name", displayName, text.DisplayName); err != nil {
		return Publisher{}, err
	}
	err = s.change(ctx, func(c *change) error {
		if err := insertPublisher(ctx, s.db, c.Tx, &p); err != nil {
			return err
		}
		return insertMember(ctx, c.Tx, p, user, true)
	})
	return p, err
}

// AddMember is for operators: it takes an account into a team. One that has lost
// its owner, whose account was deleted, gets a new one.
func (s *Service) AddMember(ctx context.Context, publisher, username string) error {
	return s.joinTeam(ctx, publisher, username, func(context.Context, querier, Publisher) error { return nil })
}

// addMember takes an account into a team, which its owner wants.
func (s *Service) addMember(ctx context.Context, by int64, publisher, username string) error {
	return s.joinTeam(ctx, publisher, username, func(ctx context.Context, q querier, p Publisher) error {
		return mustOwn(ctx, q, p, by)
	})
}

func (s *Service) joinTeam(ctx context.Context, publisher, username string, may func(context.Context, querier, Publisher) error) error {
	return s.change(ctx, func(c *change) error {
		p, err := s.lockPublisher(ctx, c, publisher)
		if err != nil {
			return err
		}
		a, err := accountNamed(ctx, c, username)
		if err != nil {
			return err
		}
		if err := may(ctx, c, p); err != nil {
			return err
		}
		owned, err := hasOwner(ctx, c, p)
		if err != nil {
			return err
		}
		return insertMember(ctx, c.Tx, p, a.id, !owned)
	})
}

// removeMember takes an account out of a team. The owner may, and everybody for
// themselves: nobody is asked before they are added. An owner stays, so that the
// team is never without one.
func (s *Service) removeMember(ctx context.Context, by int64, publisher, username string) error {
	return s.change(ctx, func(c *change) error {
		p, err := s.lockPublisher(ctx, c, publisher)
		if err != nil {
			return err
		}
		a, err := accountNamed(ctx, c, username)
		if err != nil {
			return err
		}
		owner, inTeam, err := readRole(ctx, c, p, a.id)
		if err != nil {
			return err
		}
		if !inTeam {
			return wire.Errorf(wire.UserNotFound, "username", "the team of %s has no such member", p.Name)
		}
		if by != a.id {
			if err := mustOwn(ctx, c, p, by); err != nil {
				return err
			}
		}
		if owner {
			return wire.Errorf(wire.Forbidden, "username", "the owner cannot leave the team")
		}
		return deleteMember(ctx, c.Tx, a.id)
	})
}

// Team is everybody of a publisher, the owner first.
func (s *Service) Team(ctx context.Context, publisher string) ([]Member, error) {
	p, err := readPublisher(ctx, s.db, publisher)
	if err != nil {
		return nil, err
	}
	return readTeam(ctx, s.db, p.ID)
}

// mustOwn refuses whoever may not change the team.
func mustOwn(ctx context.Context, q querier, p Publisher, user int64) error {
	owner, _, err := readRole(ctx, q, p, user)
	if err == nil && !owner {
		return wire.Errorf(wire.Forbidden, "", "only the owner of %s may do this", p.Name)
	}
	return err
}

// teamOf is the publisher of that name, if the user is in its team.
func teamOf(ctx context.Context, q querier, publisher string, user int64) (Publisher, error) {
	p, err := readPublisher(ctx, q, publisher)
	if err != nil {
		return Publisher{}, err
	}
	_, inTeam, err := readRole(ctx, q, p, user)
	if err == nil && !inTeam {
		err = wire.Errorf(wire.Forbidden, "", "only the team of %s may do this", p.Name)
	}
	return p, err
}

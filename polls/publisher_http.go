package polls

import (
	"net/http"

	"stoa/internal/web"
	"stoa/polls/limits"
)

// In these patterns a publisher is {publisher_name}: what the path names wins over
// a parameter of the same name, and name is one.
func (s *Service) publisherRoutes() web.Routes {
	const publisher = base + "/publishers/{publisher_name}"
	return web.Routes{
		"POST " + base + "/publishers":                 s.signedIn(limits.Write, s.postPublisher),
		"POST " + publisher + "/members":               s.signedIn(limits.Write, s.postMember),
		"DELETE " + publisher + "/members/{username}":  s.signedIn(limits.Write, s.deleteMember),
		"GET " + publisher + "/poll_sets":              s.open(limits.Read, s.listPollSets),
		"POST " + publisher + "/poll_sets":             s.signedIn(limits.Write, s.postPollSet),
		"PATCH " + publisher + "/poll_sets/{set_id}":   s.signedIn(limits.Write, s.patchPollSet),
		"DELETE " + publisher + "/poll_sets/{set_id}":  s.signedIn(limits.Write, s.deletePollSet),
		"POST " + publisher + "/embeds":                s.signedIn(limits.Write, s.postEmbed),
		"PUT " + publisher + "/placements/{placement}": s.signedIn(limits.Write, s.putPlacement),
		"GET " + publisher + "/stats":                  s.open(limits.Read, s.getStatistics),
	}
}

// publisherName is the publisher that a path names.
func (c *call) publisherName() string { return c.r.PathValue("publisher_name") }

type publisherJSON struct {
	Success     bool   `json:"success"`
	ID          int64  `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
}

func (s *Service) postPublisher(c *call) error {
	name, _, err := c.params.String("name")
	if err != nil {
		return err
	}
	displayName, _, err := c.params.String("display_name")
	if err != nil {
		return err
	}
	p, err := s.createPublisher(c.r.Context(), c.user(), name, displayName)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, publisherJSON{true, p.ID, p.Name, p.DisplayName})
}

func (s *Service) postMember(c *call) error {
	username, err := c.params.NeedString("username")
	if err != nil {
		return err
	}
	if err := s.addMember(c.r.Context(), c.user(), c.publisherName(), username); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) deleteMember(c *call) error {
	if err := s.removeMember(c.r.Context(), c.user(), c.publisherName(), c.r.PathValue("username")); err != nil {
		return err
	}
	return c.done()
}

package polls

import "net/http"

type pollSetJSON struct {
	Success     bool    `json:"success,omitzero"`
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	DisplayName string  `json:"display_name"`
	PollIDs     []int64 `json:"poll_ids"`
	PublisherID int64   `json:"publisher_id"`
	CreatedAt   string  `json:"created_at"`
	UpdatedAt   string  `json:"updated_at"`
}

func (p *PollSet) json() pollSetJSON {
	return pollSetJSON{
		ID: p.ID, Name: p.Name, DisplayName: p.DisplayName, PollIDs: p.Polls, PublisherID: p.Publisher,
		CreatedAt: timestamp(p.Created), UpdatedAt: timestamp(p.Updated),
	}
}

// written is the set as the answer of a write.
func (p *PollSet) written() pollSetJSON {
	j := p.json()
	j.Success = true
	return j
}

func (s *Service) listPollSets(c *call) error {
	sets, err := s.PollSets(c.r.Context(), c.publisherName())
	if err != nil {
		return err
	}
	all := []pollSetJSON{}
	for _, set := range sets {
		all = append(all, set.json())
	}
	return c.json(http.StatusOK, all)
}

func (s *Service) postPollSet(c *call) error {
	wish, err := c.pollSetChange()
	if err != nil {
		return err
	}
	set, err := s.createPollSet(c.r.Context(), c.user(), c.publisherName(), wish)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, set.written())
}

func (s *Service) patchPollSet(c *call) error {
	wish, err := c.pollSetChange()
	if err != nil {
		return err
	}
	id, _ := c.params.ID("set_id")
	set, err := s.changePollSet(c.r.Context(), c.user(), c.publisherName(), id, wish)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, set.written())
}

func (s *Service) deletePollSet(c *call) error {
	id, _ := c.params.ID("set_id")
	if err := s.removePollSet(c.r.Context(), c.user(), c.publisherName(), id); err != nil {
		return err
	}
	return c.done()
}

// pollSetChange reads what a call wants a set to be.
func (c *call) pollSetChange() (wish PollSetChange, err error) {
	if wish.Name, _, err = c.params.String("name"); err != nil {
		return wish, err
	}
	if wish.DisplayName, _, err = c.params.String("display_name"); err != nil {
		return wish, err
	}
	wish.Polls, _, err = c.params.Numbers("poll_ids")
	return wish, err
}

package polls

import (
	"net/http"
	"strconv"
	"time"

	"stoa/internal/web"
	"stoa/polls/embed"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

// frame is the page that a site shows in an iframe.
type frame struct {
	lang, theme string
	embed       int64   // what is recorded for; 0: nothing is
	polls       []int64 // never empty
}

// inFrame answers with a page, whatever happens. Unlike API calls the page knows
// nobody by cookies, and sets none.
func (s *Service) inFrame(serve func(*call, *frame) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		c := &call{w: w, r: r, address: web.ClientAddress(r, s.Proxies)}
		f := new(frame)
		err := s.limit(c, limits.Read)
		if err == nil {
			err = s.readFrame(c, f)
		}
		if err == nil {
			err = serve(c, f)
		}
		if err == nil {
			return nil
		}
		refusal := s.refusal(w, r, err)
		c.retryAfter(refusal)
		return embed.RenderProblem(w, refusal.Code.Status(), embed.Problem{
			Environment: s.banner(), Lang: f.lang, Theme: f.theme, Message: sentence(refusal),
		})
	}
}

// readFrame finds out what the address of a page shows. The address alone counts:
// a posted form has a poll_id too.
func (s *Service) readFrame(c *call, f *frame) (err error) {
	if c.params, err = wire.Read(c.r); err != nil {
		return err
	}
	bare := *c.r
	bare.Method = http.MethodGet
	address, err := wire.Read(&bare)
	if err != nil {
		return err
	}
	f.lang, _, _ = address.String("lang")
	f.theme, _, _ = address.String("theme")
	name, _, _ := address.String("name")
	shown, err := s.shownAt(c.r.Context(), c.r.PathValue("publisher_name"), address)
	if err != nil {
		return err
	}
	if f.polls, err = shown.target.polls(c.r.Context(), s.db); err != nil {
		return err
	}
	if len(f.polls) == 0 {
		return wire.Errorf(wire.Unknown, "", "there are no polls here")
	}
	f.embed, err = s.embedFor(c.r.Context(), shown, name)
	return err
}

func (s *Service) getFrame(c *call, f *frame) error {
	id, err := s.mintFor(c)
	if err != nil {
		return err
	}
	return s.renderFrame(c, f, frameState{poll: f.polls[0], viewer: viewer{anonymousID: id}})
}

// frameState is where a page stands for one reader.
type frameState struct {
	poll        int64
	viewer      viewer
	viewID      string
	showResults bool
	refusal     *wire.Error // of what the form wanted
}

func (s *Service) renderFrame(c *call, f *frame, state frameState) error {
	p, err := s.copies.poll(c.r.Context(), state.poll)
	if err != nil {
		return err
	}
	if p == nil || !p.public() {
		return errPollNotFound(state.poll)
	}
	page := embed.Page{
		Origin: s.Origin, Environment: s.banner(), Lang: f.lang, Theme: f.theme,
		AnonymousID: state.viewer.anonymousID, ViewID: state.viewID,
		Poll: s.framePoll(p), PollIDs: f.polls, ShowResults: state.showResults,
	}
	if f.embed != 0 {
		page.EmbedToken = s.keys.EmbedToken(f.embed, time.Now())
	}
	if state.viewer.voter != "" {
		own, err := readOwnVote(c.r.Context(), s.db, p.id, state.viewer.voter)
		if err != nil {
			return err
		}
		if own != nil {
			page.Poll.UserVote = own.choice
		}
	}
	status := http.StatusOK
	if state.refusal != nil {
		status, page.Message = state.refusal.Code.Status(), sentence(state.refusal)
		c.retryAfter(state.refusal)
	}
	return embed.Render(c.w, status, page)
}

func (s *Service) framePoll(p *pollCopy) embed.Poll {
	first, second := p.tally.percentages()
	return embed.Poll{
		ID: p.id, URL: s.encoder.pollURL(p.poll, false), Caption: p.caption,
		Choices: [2]embed.Choice{
			{Name: p.choice[0], Votes: p.tally.first, Percentage: first},
			{Name: p.choice[1], Votes: p.tally.second, Percentage: second},
		},
		Image: embed.Image{URL: s.encoder.imageURL(p.image, "medium"), Width: p.image.medium.width, Height: p.image.medium.height},
	}
}

// mintFor is an id for the form of a page. It counts like one that was asked for,
// so that pages are no way around the limit; beyond it the page has none.
func (s *Service) mintFor(c *call) (string, error) {
	answer, err := s.limits.Ask(c.r.Context(), limits.Call{Route: limits.Mint, Address: c.address})
	if err != nil || answer.Over {
		return "", err
	}
	return s.keys.Mint(time.Now()).Reveal(), nil
}

// banner is the name of the environment where people must see it.
func (s *Service) banner() string {
	if s.Environment == Production {
		return ""
	}
	return s.Environment
}

func (c *call) retryAfter(refusal *wire.Error) {
	switch refusal.Code {
	case wire.RateLimited, wire.Unavailable:
		seconds := max(1, (refusal.RetryAfter+time.Second-1)/time.Second)
		c.w.Header().Set("Retry-After", strconv.Itoa(int(seconds)))
	}
}

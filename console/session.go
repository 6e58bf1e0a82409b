package console

import (
	"slices"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/video"
)

func (c *Console) sessionRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/session":       c.forOperator(c.getSession),
		"POST " + base + "/video/access": c.forOperator(c.postVideoAccess),
	}
}

// session is who looks, and at what.
type session struct {
	User        sessionUser `json:"user"`
	Environment string      `json:"environment"`
	Version     string      `json:"version"`
	PublicURL   string      `json:"publicUrl"`
	VideoURL    string      `json:"videoUrl"` // "": the videos are not served here
	Projects    []string    `json:"projects"`
}

type sessionUser struct {
	Username string `json:"username"`
	Name     string `json:"name"`
}

// getSession is what the page asks first.
func (c *Console) getSession(call *call) error {
	projects, err := c.projects(call)
	if err != nil {
		return err
	}
	return call.answer(session{
		User:        sessionUser{call.operator.Username, call.operator.Name},
		Environment: c.Environment, Version: c.Version, PublicURL: c.Origin, VideoURL: c.videoURL(), Projects: projects,
	})
}

// projects is those of the videos that have a key, sorted, and never none.
func (c *Console) projects(call *call) ([]string, error) {
	projects := []string{}
	if c.Video == nil {
		return projects, nil
	}
	projects = append(projects, video.DefaultProject)
	for key, err := range c.Video.Keys(call.r.Context()) {
		if err != nil {
			return nil, err
		}
		projects = append(projects, key.Project)
	}
	slices.Sort(projects)
	return slices.Compact(projects), nil
}

// access is a token of the video API.
type access struct {
	Token     string `json:"token"`
	ExpiresIn int    `json:"expiresIn"` // seconds
}

// postVideoAccess lets the page call the video API for a project.
func (c *Console) postVideoAccess(call *call) error {
	var body struct {
		Project string `json:"project"`
	}
	if err := call.read(&body); err != nil {
		return err
	}
	if c.Video == nil {
		return errNoVideo
	}
	token, life, err := c.Video.OperatorAccess(call.r.Context(), body.Project)
	if err != nil {
		return err
	}
	return call.answer(access{token, int(life.Seconds())})
}

var errNoVideo = fault.New(fault.NotFound, "the videos are not served by this process; start it with stoa serve, without names of services")

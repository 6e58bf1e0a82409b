package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

func (s *Service) summaryRoutes() web.Routes {
	return web.Routes{
		"POST /summaries":                     s.write(s.postSummary),
		"GET /summaries":                      s.read(s.getSummaries),
		"DELETE /summaries/{summaryId}":       s.write(s.dropSummary),
		"GET /summaries/{summaryId}/source":   s.read(s.getSummarySource),
		"PATCH /summaries/{summaryId}/source": s.write(s.patchSummarySource),
	}
}

func (s *Service) postSummary(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	videoID, origin, err := readNewSummary(body)
	if err != nil {
		return err
	}
	m, err := s.createSummary(c.r.Context(), c.project, videoID, origin)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, m)
}

func readNewSummary(body fields) (videoID, origin string, err error) {
	problems := []*problem.Error{
		body.read("videoId", &videoID, wantText), body.read("origin", &origin, wantText), body.readAttributes("attributes"),
	}
	if !body.has("videoId") || body.null("videoId") {
		problems = append(problems, problem.Required("videoId"))
	}
	if origin != "" && origin != originAuto {
		problems = append(problems, problem.Attribute("origin", "Give auto, or leave it out to write the summary yourself."))
	}
	return videoID, origin, problem.All(problems...)
}

func (s *Service) getSummaries(c *call) error {
	list, err := readSummaryList(c.r.URL.Query(), c.project)
	if err != nil {
		return err
	}
	summaries, total, err := s.listSummaries(c.r.Context(), list)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, list.page, total, summaries))
}

func (s *Service) dropSummary(c *call) error {
	if err := s.deleteSummary(c.r.Context(), c.project, c.r.PathValue("summaryId")); err != nil {
		return err
	}
	return c.done()
}

// jsonSummarySource is what a summary says.
type jsonSummarySource struct {
	Abstract  string   `json:"abstract"`
	Takeaways []string `json:"takeaways"`
}

func (s *Service) getSummarySource(c *call) error {
	m, err := s.findSummary(c.r.Context(), c.project, c.r.PathValue("summaryId"))
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, jsonSummarySource{m.abstract, m.takeaways})
}

func (s *Service) patchSummarySource(c *call) error {
	body, err := c.body()
	if err != nil {
		return err
	}
	m, err := s.writeSummary(c.r.Context(), c.project, c.r.PathValue("summaryId"), body)
	if err != nil {
		return err
	}
	return c.json(http.StatusCreated, jsonSummarySource{m.abstract, m.takeaways})
}

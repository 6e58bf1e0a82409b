package console

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"time"

	"stoa/internal/fault"
	"stoa/internal/jobs"
	"stoa/internal/web"
)

func (c *Console) jobRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/system/jobs":             c.forOperator(c.listJobs),
		"GET " + base + "/system/jobs/{id}":        c.forOperator(c.getJob),
		"POST " + base + "/system/jobs/{id}/retry": c.forOperator(c.retryJob),
		"POST " + base + "/system/jobs/retry":      c.forOperator(c.retryJobs),
		"DELETE " + base + "/system/jobs/{id}":     c.forOperator(c.discardJob),
	}
}

// job is work that waits, runs or was given up.
type job struct {
	ID       int64           `json:"id"`
	Kind     string          `json:"kind"`
	Lane     string          `json:"lane"`
	State    jobs.State      `json:"state"`
	Args     json.RawMessage `json:"args"`
	Due      time.Time       `json:"due"`
	Failures int             `json:"failures"`
	Attempts int             `json:"attempts"`
	Deaths   int             `json:"deaths"`
	Worker   string          `json:"worker"`
	Ending   bool            `json:"ending"`
	Error    string          `json:"error"`
}

func showJob(j jobs.Job) job {
	return job{
		j.ID, j.Kind, j.Lane, j.State, json.RawMessage(j.Args), j.Due.Truncate(time.Second),
		j.Failures, j.Attempts, j.Deaths, j.Worker, j.Ending, j.Error,
	}
}

// jobCount is how many jobs of a kind there are.
type jobCount struct {
	Kind    string `json:"kind"`
	Running int    `json:"running"`
	Waiting int    `json:"waiting"`
	GivenUp int    `json:"givenUp"`
}

// jobsAtOnce is a page of the list.
const jobsAtOnce = 50

func (c *Console) listJobs(call *call) error {
	query := call.r.URL.Query()
	which := jobs.Which{State: jobs.State(query.Get("state")), Kind: query.Get("kind")}
	if which.State != "" && !slices.Contains([]jobs.State{jobs.Waiting, jobs.Running, jobs.GivenUp}, which.State) {
		return fault.New(fault.Invalid, "state is running, waiting or given_up")
	}
	var err error
	if which.Before, err = number("before", query.Get("before")); err != nil {
		return err
	}
	found, err := c.Queue.List(call.r.Context(), which, jobsAtOnce+1)
	if err != nil {
		return err
	}
	counts, err := c.Queue.Counts(call.r.Context())
	if err != nil {
		return err
	}
	answer := struct {
		Jobs   []job      `json:"jobs"`
		Next   string     `json:"next,omitzero"`
		Counts []jobCount `json:"counts"`
	}{Jobs: []job{}, Counts: []jobCount{}}
	for i, j := range found {
		if i == jobsAtOnce {
			answer.Next = strconv.FormatInt(found[i-1].ID, 10)
			break
		}
		answer.Jobs = append(answer.Jobs, showJob(j))
	}
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		n := counts[kind]
		answer.Counts = append(answer.Counts, jobCount{kind, n[jobs.Running], n[jobs.Waiting], n[jobs.GivenUp]})
	}
	return call.answer(answer)
}

// number reads the number of something; none is 0.
func number(name, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return 0, fault.New(fault.Invalid, "%s is a number from 1 on", name)
	}
	return n, nil
}

// jobID is the job that the path names.
func (c *call) jobID() (int64, error) { return number("the id of a job", c.r.PathValue("id")) }

func (c *Console) getJob(call *call) error {
	id, err := call.jobID()
	if err != nil {
		return err
	}
	j, err := c.Queue.Get(call.r.Context(), id)
	if err != nil {
		return err
	}
	return call.answer(showJob(j))
}

func (c *Console) retryJob(call *call) error {
	id, err := call.jobID()
	if err != nil {
		return err
	}
	if err := c.Queue.Retry(call.r.Context(), id); err != nil {
		return err
	}
	c.Log.Info("an operator has a job tried again", "operator", call.operator.Username, "job", id)
	return call.done()
}

func (c *Console) retryJobs(call *call) error {
	var body struct {
		Kind string `json:"kind"` // "": all
	}
	if err := call.read(&body); err != nil {
		return err
	}
	retried, refused, err := c.Queue.RetryAll(call.r.Context(), body.Kind)
	if err != nil {
		return err
	}
	c.Log.Info("an operator has jobs tried again", "operator", call.operator.Username, "kind", body.Kind, "jobs", retried)
	return call.answer(map[string]int{"retried": retried, "refused": refused})
}

func (c *Console) discardJob(call *call) error {
	id, err := call.jobID()
	if err != nil {
		return err
	}
	if err := c.Queue.Discard(call.r.Context(), id); err != nil {
		return err
	}
	c.Log.Info("an operator discarded a job", "operator", call.operator.Username, "job", id)
	return call.done()
}

package polls

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"stoa/polls/internal/wire"
)

const (
	heartbeat   = 15 * time.Second // a comment that keeps proxies from hanging up
	streamWrite = 10 * time.Second // how long a client may take to accept an event
)

// getEvents streams how a poll stands: at once, and then whenever it changes.
func (s *Service) getEvents(c *call) error {
	p, err := s.seen(c)
	if err != nil {
		return err
	}
	if p.state == pollHidden { // and its creator asks
		return p.refuseUnready("")
	}
	watcher := s.watchers.join(p.id, c.address)
	if watcher == nil {
		refusal := wire.Errorf(wire.Unavailable, "", "too many event streams are open; ask for the poll every 5 seconds instead")
		refusal.RetryAfter = 5 * time.Second
		return refusal
	}
	defer s.watchers.leave(watcher)
	if p, err = s.seen(c); err != nil { // what was changed before it joined
		return err
	}
	s.watchers.found([]raised{p.raised()})
	h := c.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // some proxies hold answers back
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	e := &events{w: c.w, control: http.NewResponseController(c.w)}
	s.follow(c.r.Context(), watcher, e)
	return nil
}

// follow writes what becomes of a poll until it is gone, the client leaves or
// does not read, or the service stops.
func (s *Service) follow(ctx context.Context, watcher *stream, e *events) {
	e.send("retry: 3000\n\n")
	beats := time.NewTicker(heartbeat)
	defer beats.Stop()
	for more := e.state(s.watchers.state(watcher)); more && e.err == nil; {
		select {
		case <-watcher.wake:
			more = e.state(s.watchers.state(watcher))
		case <-beats.C:
			e.send(": still here\n\n")
		case <-ctx.Done():
			return
		case <-watcher.stop:
			return
		}
	}
}

// events writes to one client. After an error nothing more is written.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
	sent    int64 // the version that the client knows
	err     error
}

// liveResults is the data of a results event.
type liveResults struct {
	VoteCount int64 `json:"voteCount"`
	resultsJSON
}

// state sends how the poll stands, unless the client knows it. It is false when
// there is nothing more to come.
func (e *events) state(r raised) bool {
	switch {
	case r.gone:
		e.send("event: deleted\ndata: {}\n\n")
		return false
	case r.version > e.sent:
		e.sent = r.version
		e.send(fmt.Sprintf("event: results\ndata: %s\n\n", must(liveResults{r.tally.total(), results(r.tally)})))
	}
	return true
}

func (e *events) send(text string) {
	if e.err != nil {
		return
	}
	_ = e.control.SetWriteDeadline(time.Now().Add(streamWrite))
	if _, e.err = e.w.Write([]byte(text)); e.err == nil {
		e.err = e.control.Flush()
	}
}

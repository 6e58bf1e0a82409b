package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
)

// recorded is an answer that the polls once gave.
type recorded struct {
	Header http.Header
	Body   []byte
}

// answers is what the stub says, whoever asks: the answer of a vote, a poll, and
// the list of polls.
type answers struct{ Vote, Poll, Polls recorded }

// serveStub is the least that a server can do with the same requests.
func (c *child) serveStub(ctx context.Context) error {
	data, err := os.ReadFile(c.answers)
	if err != nil {
		return err
	}
	var a answers
	if err := json.Unmarshal(data, &a); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v4/polls/{poll_id}/votes", func(w http.ResponseWriter, r *http.Request) {
		var vote struct {
			Option          int    `json:"option"`
			AnonymousUserID string `json:"anonymous_user_id"`
		}
		if err := json.NewDecoder(r.Body).Decode(&vote); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		a.Vote.write(w)
	})
	mux.HandleFunc("GET /api/v4/polls/{poll_id}", func(w http.ResponseWriter, _ *http.Request) { a.Poll.write(w) })
	mux.HandleFunc("GET /api/v4/polls", func(w http.ResponseWriter, _ *http.Request) { a.Polls.write(w) })
	return c.listen(ctx, mux, nil)
}

func (r *recorded) write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range r.Header {
		h.Set(name, values[0])
	}
	_, _ = w.Write(r.Body)
}

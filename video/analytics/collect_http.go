package analytics

import (
	"errors"
	"io"
	"net/http"
	"net/netip"
	"time"

	"stoa/video/internal/problem"
)

func (s *Service) postWatch(w http.ResponseWriter, r *http.Request) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	received := s.now()
	b, err := parseWatch(body, received)
	if err != nil {
		return err
	}
	key, err := s.days.of(r.Context(), received)
	if err != nil {
		return err
	}
	if err := s.collect(r, key, received, b); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) postVod(w http.ResponseWriter, r *http.Request) error {
	return s.postSession(w, r, false)
}

func (s *Service) postLive(w http.ResponseWriter, r *http.Request) error {
	return s.postSession(w, r, true)
}

func (s *Service) postSession(w http.ResponseWriter, r *http.Request, live bool) error {
	body, err := readBody(w, r)
	if err != nil {
		return err
	}
	received := s.now()
	b, loadedAt, err := parseSession(body, live, received)
	if err != nil {
		return err
	}
	key, err := s.days.of(r.Context(), received)
	if err != nil {
		return err
	}
	if b.playback == "" {
		b.playback = sessionID(key, b.media, loadedAt, b.referrer, s.ClientAddress(r).String(), r.UserAgent())
		b.session = b.playback
	}
	if err := s.collect(r, key, received, b); err != nil {
		return err
	}
	return problem.JSON(w, http.StatusOK, map[string]string{"session": b.playback})
}

// collect returns when the batch is in the database.
func (s *Service) collect(r *http.Request, key []byte, received time.Time, b batch) error {
	if len(b.events) == 0 {
		return nil
	}
	return s.recorder.record(r.Context(), s.newEntry(b, key, received, s.ClientAddress(r), r.UserAgent()))
}

// newEntry takes from a request what is kept of a person, which is little.
func (s *Service) newEntry(b batch, key []byte, received time.Time, address netip.Addr, agent string) *entry {
	who := audience{referrer: b.referrer}
	who.continent, who.country = s.atlas.find(address)
	who.device, who.system, who.browser = readAgent(agent)
	return &entry{
		batch: b, id: newPlaybackID(b.media, b.playback), audience: who, viewer: viewer(key, address, agent),
		day: received.UnixMicro() / microsDay,
	}
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large || err == nil && len(body) == 0 {
		return nil, errPayload
	}
	if err != nil {
		return nil, problem.New(http.StatusBadRequest, "invalid-payload", "The body of the request ended early.")
	}
	return body, nil
}

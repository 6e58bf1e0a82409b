package whip

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

const (
	maxOffer   = 64 << 10
	enterLimit = 5 * time.Second
)

// Post takes an offer: POST /whip/{streamKey}, or POST /whip with the key as bearer
// token. The session is at sessions/{session} below /whip.
func (s *Server) Post(w http.ResponseWriter, r *http.Request) {
	key, ok := streamKey(r)
	if !ok {
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "the key of the live stream is missing: put it in the address, or send it as bearer token")
		return
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/sdp" {
		w.Header().Set("Accept-Post", "application/sdp")
		refuse(w, http.StatusUnsupportedMediaType, "an offer has the content type application/sdp")
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOffer))
	if err != nil {
		status := http.StatusBadRequest
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			status = http.StatusRequestEntityTooLarge
		}
		refuse(w, status, "the offer cannot be read, or is larger than 64 kB")
		return
	}
	offer, err := parseOffer(string(body))
	if err != nil {
		refuse(w, http.StatusBadRequest, errOffer.Error())
		return
	}
	session, answer, err := s.begin(r, key, offer)
	if err != nil {
		s.refuse(w, r, key, err)
		return
	}
	base := strings.TrimSuffix(r.URL.Path, "/")
	if r.PathValue("streamKey") != "" {
		base = base[:max(0, strings.LastIndexByte(base, '/'))]
	}
	w.Header().Set("Content-Type", "application/sdp")
	w.Header().Set("Location", base+"/sessions/"+session.id)
	w.Header().Set("ETag", session.tag())
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}

// Delete ends a session: DELETE /whip/sessions/{session}.
func (s *Server) Delete(w http.ResponseWriter, r *http.Request) {
	session := s.find(r.PathValue("session"))
	if session == nil {
		refuse(w, http.StatusNotFound, errSession)
		return
	}
	session.end(errDeleted)
	select {
	case <-session.gone: // now the key can be used again
	case <-r.Context().Done():
	}
	w.WriteHeader(http.StatusOK)
}

// Patch takes further addresses of the publisher: PATCH /whip/sessions/{session}. This
// side needs none, since it answers to any address that knows the secret of the session;
// so they are left out. ICE cannot be begun again.
func (s *Server) Patch(w http.ResponseWriter, r *http.Request) {
	session := s.find(r.PathValue("session"))
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	match := r.Header.Get("If-Match")
	switch {
	case session == nil:
		refuse(w, http.StatusNotFound, errSession)
	case kind != "application/trickle-ice-sdpfrag":
		w.Header().Set("Accept-Patch", "application/trickle-ice-sdpfrag")
		refuse(w, http.StatusUnsupportedMediaType, "addresses have the content type application/trickle-ice-sdpfrag")
	case match != "" && match != "*" && match != session.tag():
		refuse(w, http.StatusPreconditionFailed, "the session has another ETag")
	default:
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxOffer))
		if err != nil {
			refuse(w, http.StatusRequestEntityTooLarge, "the addresses cannot be read, or are larger than 64 kB")
			return
		}
		if text := string(body); strings.Contains(text, fragmentLine) && !strings.Contains(text, fragmentLine+session.fragment) {
			refuse(w, http.StatusUnprocessableEntity, "ICE cannot be begun again: end the session and post a new offer")
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

const fragmentLine = "a=ice-ufrag:"

const errSession = "no such session: it has ended"

func streamKey(r *http.Request) (string, bool) {
	key := r.PathValue("streamKey")
	if key == "" {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return "", false
		}
		key = strings.TrimSpace(token)
	}
	return key, porter.IsKey(key)
}

// refuse answers why a publisher is not let in.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, key string, err error) {
	status, text, level := http.StatusInternalServerError, "internal error", slog.LevelError
	known, ok := errors.AsType[*fault.Error](err)
	switch {
	case errors.Is(err, errOffer):
		status, text, level = http.StatusBadRequest, errOffer.Error(), slog.LevelInfo
	case errors.Is(err, errCodecs):
		status, text, level = http.StatusBadRequest, errCodecs.Error(), slog.LevelInfo
	case errors.Is(err, errCrowd): // the crowd tells of them, and how many there are
		status, text, level = http.StatusServiceUnavailable, errCrowd.Message, slog.LevelDebug
	case errors.Is(err, live.ErrBusy):
		status, text, level = http.StatusConflict, live.ErrBusy.Message, slog.LevelInfo
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		status, text, level = http.StatusServiceUnavailable, "it takes too long now: try again", slog.LevelWarn
	case ok && known.Kind == fault.NotFound:
		status, text, level = http.StatusNotFound, known.Message, slog.LevelInfo
	case ok && known.Kind == fault.Unavailable:
		status, text, level = http.StatusServiceUnavailable, known.Message, slog.LevelInfo
	case ok && known.Kind != fault.Internal:
		status, text, level = http.StatusBadRequest, known.Message, slog.LevelInfo
	}
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	s.options.Log.Log(r.Context(), level, "a publisher was refused", "protocol", "whip",
		"address", s.options.Client(r).String(), "key", porter.Hint(key), "error", err)
	refuse(w, status, text)
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n")
}

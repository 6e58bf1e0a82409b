package polls

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls/internal/postform"
	"stoa/polls/limits"
)

func (s *Service) storageRoutes() web.Routes {
	return web.Routes{
		"POST /storage/" + uploadBucket: s.postUpload,
	}
}

// postUpload takes an image with the form that was handed out for it. It answers
// as object storage does.
func (s *Service) postUpload(w http.ResponseWriter, r *http.Request) error {
	if err := s.limit(&call{w: w, r: r, address: web.ClientAddress(r, s.Proxies)}, limits.Upload); err != nil {
		return err
	}
	r.Body = newPacedBody(w, r.Body)
	stored, err := s.uploads.Receive(r, s.takeUpload)
	if err != nil {
		s.refuseUpload(w, r, err)
		return nil
	}
	h := w.Header()
	h.Set("ETag", `"`+stored.ETag+`"`)
	h.Set("Location", s.uploadURL()+"/"+stored.Key)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Service) uploadURL() string { return s.Origin + "/storage/" + uploadBucket }

func (s *Service) refuseUpload(w http.ResponseWriter, r *http.Request, err error) {
	if db.IsUnavailable(err) {
		err = fmt.Errorf("%w: %w", fault.Unavailable, err)
	}
	id := web.RequestID(w)
	if _, refused := errors.AsType[*postform.Error](err); !refused && r.Context().Err() == nil {
		s.log.Error("store an upload", "request_id", id, "error", err)
	}
	if errors.Is(err, fault.Unavailable) {
		w.Header().Set("Retry-After", "1")
	}
	// Many clients send all of the file before they look at the answer, and a
	// connection that is closed before would take it away from them.
	_, _ = io.CopyN(io.Discard, r.Body, postform.MaxSize)
	postform.WriteError(w, err, id)
}

// A body must come at least this fast, on the whole: slower ones hold a connection
// and a place in the store for little.
const (
	uploadGrace = 20 * time.Second
	uploadRate  = 16 << 10 // bytes a second
)

// pacedBody is a body that is given more time as it comes.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	began      time.Time
	read       int64
}

func newPacedBody(w http.ResponseWriter, body io.ReadCloser) *pacedBody {
	return &pacedBody{ReadCloser: body, connection: http.NewResponseController(w), began: time.Now()}
}

func (b *pacedBody) Read(p []byte) (int, error) {
	until := b.began.Add(uploadGrace + time.Duration(b.read)*time.Second/uploadRate)
	_ = b.connection.SetReadDeadline(until) // not every writer has a connection
	_ = b.connection.SetWriteDeadline(until.Add(uploadGrace))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	return n, err
}

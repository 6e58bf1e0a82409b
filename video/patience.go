package video

import (
	"context"
	"io"
	"net/http"
	"time"

	"stoa/internal/web"
)

// How long large requests may take. The server's own limits are those of small ones.
const (
	silence    = 45 * time.Second // without a byte
	maxUpload  = 6 * time.Hour    // of a whole request: 200 MiB at 10 KB/s
	answerTime = 2 * time.Minute  // after the last byte
	drainTime  = time.Minute      // of a request that was refused before its end
	maxDrain   = 256 << 20        // bytes of it
)

// patient serves requests with large files. They go on as long as bytes come, and who is
// refused while he sends gets to read why.
func (s *Service) patient(serve web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		ctx, cancel := context.WithTimeout(r.Context(), maxUpload)
		defer cancel()
		r = r.WithContext(ctx)
		body := &flow{ReadCloser: r.Body, control: http.NewResponseController(w), silence: s.silence, end: time.Now().Add(maxUpload)}
		r.Body = body
		err := serve(w, r)
		if err == nil || body.ended || r.ProtoMajor != 1 || !body.begun && r.Header.Get("Expect") != "" {
			return err
		}
		// Many clients read nothing before they have sent all, and lose the answer when
		// the connection is closed on them. So it is sent now, and the rest thrown away.
		if body.control.EnableFullDuplex() != nil {
			return err
		}
		s.refuse(w, r, err)
		_ = body.control.Flush() // when he has gone, reading says so too
		body.end = time.Now().Add(drainTime)
		_, _ = io.CopyN(io.Discard, body, maxDrain)
		return nil
	}
}

// flow is the body of a request, whose deadlines are moved on while bytes come.
type flow struct {
	io.ReadCloser
	control *http.ResponseController
	silence time.Duration
	end     time.Time // of the request, whatever comes
	moved   time.Time
	begun   bool
	ended   bool
}

func (f *flow) Read(p []byte) (int, error) {
	f.begun = true
	now := time.Now()
	if now.Sub(f.moved) > f.silence/32 { // not with every read
		f.moved = now
		f.setDeadlines(now.Add(f.silence))
	}
	n, err := f.ReadCloser.Read(p)
	if err != nil {
		// The connection is read on, to see whether the client goes away: that must not
		// end by the deadline, as it would end the request.
		f.ended = true
		f.setDeadlines(time.Now().Add(answerTime))
	}
	return n, err
}

// setDeadlines allows reading until then, and an answer after it. Where connections have
// no deadlines there are none to move.
func (f *flow) setDeadlines(read time.Time) {
	if read.After(f.end) && !f.ended {
		read = f.end
	}
	_ = f.control.SetReadDeadline(read)
	_ = f.control.SetWriteDeadline(read.Add(answerTime))
}

package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"stoa/internal/fault"
)

const maxRedirects = 5

// stall is how long a download may stand still, and what its speed is judged by.
const stall = time.Minute

// slowest is the bytes a second that have to come on average, or else who sends one
// now and then could occupy us for hours.
const slowest = 16 << 10

var (
	errTooLarge = fault.New(fault.TooLarge, "the file at this address is too large")
	errTooSlow  = fault.New(fault.Unavailable, "the file comes too slowly from this address: try again later")
	errStalled  = fault.New(fault.Unavailable, "the download stopped before its end: try again later")
	errNoAnswer = fault.New(fault.Unavailable, "this address cannot be reached now: check it, or try again later")
)

// Download is a file that is being fetched. Reading it ends with io.EOF only
// when all of it has come. Its errors are a *fault.Error: TooLarge, Unavailable
// when another try may help.
type Download struct {
	body   io.ReadCloser
	left   int64         // that may still come
	came   int64         // since its speed was judged
	waited time.Duration // for what came; the time of who reads does not count
	timer  *time.Timer
	stall  time.Duration
	cancel context.CancelFunc
}

// Fetch asks for a file of at most limit bytes. The caller closes it. Errors are
// a *fault.Error: Invalid when the address is at fault, and asking again would
// not help.
func (d *Dialer) Fetch(ctx context.Context, address string, limit int64) (*Download, error) {
	return d.fetch(ctx, address, limit, stall)
}

func (d *Dialer) fetch(ctx context.Context, address string, limit int64, stall time.Duration) (*Download, error) {
	if err := CheckURL(address); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return nil, errForm
	}
	request.Header.Set("User-Agent", "stoa")
	answer, err := d.fetcher.Do(request)
	if err != nil {
		cancel()
		return nil, asFault(err, errNoAnswer)
	}
	if err := check(answer, limit); err != nil {
		cancel()
		_ = answer.Body.Close()
		return nil, err
	}
	return newDownload(answer, limit, stall, cancel), nil
}

func newDownload(answer *http.Response, limit int64, stall time.Duration, cancel context.CancelFunc) *Download {
	timer := time.AfterFunc(stall, cancel)
	timer.Stop() // it runs while Read waits
	return &Download{body: answer.Body, left: limit, timer: timer, stall: stall, cancel: cancel}
}

// check tells whether an answer is a file.
func check(answer *http.Response, limit int64) error {
	switch status := answer.StatusCode; {
	case status == http.StatusTooManyRequests || status == http.StatusRequestTimeout || status >= 500:
		return fault.New(fault.Unavailable, "this address answers with status %d: try again later", status)
	case status != http.StatusOK:
		return fault.New(fault.Invalid, "this address answers with status %d instead of a file", status)
	case answer.Header.Get("Content-Encoding") != "" && answer.Header.Get("Content-Encoding") != "identity":
		return fault.New(fault.Invalid, "this address sends the file compressed: send it as it is")
	case answer.ContentLength > limit:
		return errTooLarge
	}
	return nil
}

func (d *Download) Read(p []byte) (int, error) {
	d.timer.Reset(d.stall)
	began := time.Now()
	n, err := d.body.Read(p)
	d.waited += time.Since(began)
	if !d.timer.Stop() && err != nil && err != io.EOF {
		return n, errStalled
	}
	if int64(n) > d.left {
		return int(d.left), errTooLarge
	}
	d.left -= int64(n)
	if err == nil {
		err = d.judge(n)
	} else if err != io.EOF {
		err = asFault(err, errStalled)
	}
	return n, err
}

// judge looks from time to time whether what comes is quick enough.
func (d *Download) judge(n int) error {
	d.came += int64(n)
	if d.waited < d.stall {
		return nil
	}
	if float64(d.came) < slowest*d.waited.Seconds() {
		return errTooSlow
	}
	d.came, d.waited = 0, 0
	return nil
}

// Close ends the download.
func (d *Download) Close() error {
	d.timer.Stop()
	d.cancel()
	return d.body.Close()
}

// asFault is the fault in an error, which is safe to show, or else that fault
// with the error as its reason for the log.
func asFault(err error, otherwise *fault.Error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	return fmt.Errorf("%w (%w)", otherwise, Reason(err))
}

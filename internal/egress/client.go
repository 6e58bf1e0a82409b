package egress

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"stoa/internal/fault"
)

// maxURL is the length of an address in bytes. Signed ones are long.
const maxURL = 8 << 10

var (
	errScheme    = fault.New(fault.Invalid, "use an address that begins with http:// or https://")
	errForm      = fault.New(fault.Invalid, "this is not an address: write it as https://example.com/path")
	errRedirects = fault.New(fault.Invalid, "this address leads on to others too many times: use the last of them")
)

// CheckURL tells whether an address is one that could be requested: http or https
// with a host. Where it leads is seen when it is.
func CheckURL(address string) error {
	if len(address) > maxURL {
		return fault.New(fault.Invalid, "this address is too long: use at most %d bytes", maxURL)
	}
	u, err := url.Parse(address)
	if err != nil {
		return errForm
	}
	return checkURL(u)
}

func checkURL(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return errScheme
	}
	if u.Hostname() == "" || u.Opaque != "" || strings.ContainsAny(u.Host, " %\\") {
		return errForm
	}
	if _, port, found := strings.Cut(u.Host[strings.LastIndexByte(u.Host, ']')+1:], ":"); found {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return errForm
		}
	}
	return nil
}

// ClientOptions say how a client behaves.
type ClientOptions struct {
	Redirects int           // how many are followed; 0: a redirect is the answer
	Timeout   time.Duration // of a whole request, its answer read; 0: none
}

// Client makes a client whose every connection is checked. It keeps none open,
// has no proxy and no cookies, and does not unpack what comes compressed.
func (d *Dialer) Client(o ClientOptions) *http.Client {
	return &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: o.redirect,
		Transport: &http.Transport{
			DialContext:            d.net.DialContext,
			TLSHandshakeTimeout:    connectTimeout,
			ResponseHeaderTimeout:  answerTimeout,
			MaxResponseHeaderBytes: maxHeaders,
			DisableKeepAlives:      true,
			DisableCompression:     true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// Reason is why a request failed, without its address: passwords and signatures may
// stand in that, and reasons go to the log.
func Reason(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}

// redirect lets a request go on, with nothing of what was meant for the first
// address.
func (o ClientOptions) redirect(next *http.Request, before []*http.Request) error {
	if o.Redirects == 0 {
		return http.ErrUseLastResponse
	}
	if len(before) > o.Redirects {
		return errRedirects
	}
	next.URL.User = nil // a relative address takes it along
	for _, name := range []string{"Authorization", "Cookie", "Referer"} {
		next.Header.Del(name)
	}
	return checkURL(next.URL)
}

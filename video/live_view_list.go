package video

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"stoa/video/internal/hls"
	"stoa/video/internal/live"
	"stoa/video/internal/problem"
)

// listName is the file of a track's playlist.
const listName = "manifest.m3u8"

// lateTime is how long after the longest segment a list may wait for what was asked for.
const lateTime = 5 * time.Second

// The answers to who waited in vain: the publisher may be away, or the process ends.
var (
	errNothingCame = problem.New(http.StatusServiceUnavailable, "service-unavailable", "Nothing more has come. Ask again.")
	errEnding      = problem.New(http.StatusServiceUnavailable, "service-unavailable", "This server ends. Ask again.")
)

// getLiveList serves the playlist of a track: at once, or when it has what is asked for.
func (s *Service) getLiveList(v *watching, b *broadcast, window *live.Window) error {
	ask, err := readReload(v.r.URL)
	if err != nil {
		return err
	}
	how := keepNot
	if ask.waits {
		how = keepBriefly // the address names what is in it
		if err := s.await(v.r.Context(), window, ask.segment, ask.part); err != nil {
			return v.late(err)
		}
	}
	if err := v.begin(how); err != nil {
		return err
	}
	return writeList(v.w, window.Text(live.ListOptions{Carry: v.carry(), Skip: ask.skip, Reports: b.reports(window, v.carry())}))
}

// reload is what a player asks of a list.
type reload struct {
	waits         bool
	segment, part int // that it must have; part -1: the whole segment
	skip          bool
}

var errReload = problem.New(http.StatusBadRequest, "invalid-query-parameter", "_HLS_msn and _HLS_part must be whole numbers, and _HLS_part needs _HLS_msn.")

// readReload reads the directives of RFC 8216bis.
func readReload(address *url.URL) (ask reload, err error) {
	if address.RawQuery == "" {
		return ask, nil
	}
	q := address.Query()
	ask.part = -1
	skip := q.Get("_HLS_skip")
	ask.skip = skip == "YES" || skip == "v2"
	if q.Has("_HLS_msn") {
		ask.waits = true
		if ask.segment, err = wholeNumber(q.Get("_HLS_msn")); err != nil {
			return ask, err
		}
	}
	if q.Has("_HLS_part") {
		if ask.part, err = wholeNumber(q.Get("_HLS_part")); err != nil || !ask.waits {
			return ask, errReload
		}
	}
	return ask, nil
}

func wholeNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, errReload
	}
	return int(n), nil
}

// await waits until a part is there, or the broadcast is over.
func (s *Service) await(ctx context.Context, w *live.Window, segment, part int) error {
	ctx, cancel := context.WithTimeout(ctx, live.TargetDuration+lateTime)
	defer cancel()
	if !s.waits.join(&cancel) {
		return context.Canceled
	}
	defer s.waits.leave(&cancel)
	return w.Wait(ctx, segment, part)
}

// late answers who waited in vain, unless he has left.
func (v *watching) late(err error) error {
	switch {
	case v.r.Context().Err() != nil:
		return err
	case errors.Is(err, context.DeadlineExceeded):
		err = errNothingCame
	case errors.Is(err, context.Canceled):
		err = errEnding
	default:
		return err
	}
	problem.Write(v.w, err) // no fault of ours that the log should tell
	return nil
}

// reports tell where the other tracks are, so that players need not ask twice when they
// change to one.
func (b *broadcast) reports(but *live.Window, carry string) []hls.Report {
	var all []hls.Report
	for _, name := range b.tracks() {
		if w, _ := b.window(name); w != but {
			segment, part := w.Newest()
			all = append(all, hls.Report{URL: "../" + name + "/" + listName + carry, Segment: segment, Part: part})
		}
	}
	return all
}

// writeList answers with a playlist. It has no tag to compare, as it is another one each
// time.
func writeList(w http.ResponseWriter, text []byte) error {
	h := w.Header()
	h.Set("Content-Type", hls.ContentType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	_, err := w.Write(text)
	return err
}

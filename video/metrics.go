package video

import "stoa/internal/stats"

// metrics is what is counted of videos beside requests and jobs.
type metrics struct {
	uploadParts, uploadBytes *stats.Counter // what was stored of sources
	chunks                   *stats.Counter // that were encoded
	encodedTime              *stats.Counter // milliseconds of all renditions together
	notEncoded               *stats.Counter // videos that were given up
	segments                 *stats.Counter // that were sent, also of broadcasts
	hooksSent, hooksFailed   *stats.Counter // events, and tries
}

func (s *Service) newMetrics() metrics {
	where := stats.Tag{Key: "environment", Value: s.Environment}
	counter := func(name string) *stats.Counter { return s.Stats.Counter("stoa.video."+name, where) }
	s.Stats.GaugeFunc("stoa.video.on_air", s.broadcasts.onAir, where)
	s.Stats.GaugeFunc("stoa.video.live_waiting", s.waits.count, where)
	return metrics{
		uploadParts: counter("upload_parts"), uploadBytes: counter("upload_bytes"),
		chunks: counter("encoded_chunks"), encodedTime: counter("encoded_milliseconds"), notEncoded: counter("not_encoded"),
		segments: counter("segments_sent"), hooksSent: counter("webhooks_sent"), hooksFailed: counter("webhooks_failed"),
	}
}

// onAir is how many broadcasts have their publisher in this process now.
func (b *broadcasts) onAir() (n int64) {
	for _, one := range b.list() {
		one.mu.Lock()
		if one.sending != nil {
			n++
		}
		one.mu.Unlock()
	}
	return n
}

// count is how many viewers wait for what comes next. One who watches a broadcast does
// so most of the time.
func (w *waits) count() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return int64(len(w.all))
}

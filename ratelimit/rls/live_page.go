package rls

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"

	"stoa/ratelimit"
)

//go:embed live
var liveFiles embed.FS

var livePage = template.Must(template.ParseFS(liveFiles, "live/live.html"))

// livePolicy lets the page load its own style, script and events, nothing else.
const livePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'"

// page is the rules in force as a table; the script fills in the numbers.
func (l *live) page(w http.ResponseWriter, _ *http.Request) {
	var rules []*ratelimit.Rule
	var domains []string
	if r := l.service.Limiter.Rules(); r != nil {
		domains = r.Domains()
		for rule := range r.All() {
			rules = append(rules, rule)
		}
	}
	w.Header().Set("Content-Security-Policy", livePolicy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	err := livePage.Execute(w, map[string]any{"Rules": rules, "Domains": domains, "Backend": l.service.Backend})
	if err != nil {
		l.service.Log.Debug("live page", "error", err)
	}
}

// asset serves the page's style and script.
func (l *live) asset(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, liveFiles, "live/"+name)
	}
}

// events sends a moment a second until the viewer leaves.
func (l *live) events(w http.ResponseWriter, r *http.Request) {
	viewer, ok := l.join()
	if !ok {
		http.Error(w, "too many viewers", http.StatusServiceUnavailable)
		return
	}
	defer l.leave(viewer)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	if err := out.Flush(); err != nil {
		return
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case m := <-viewer:
			data, err := json.Marshal(m)
			if err != nil {
				l.service.Log.Error("live event", "error", err)
				return
			}
			if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil {
				return
			}
			if err := out.Flush(); err != nil {
				return
			}
		}
	}
}

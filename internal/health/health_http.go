package health

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Public is the parts without what strangers need not know.
func Public(parts []Part) []Part {
	shown := make([]Part, len(parts))
	for i, p := range parts {
		p.Detail = ""
		shown[i] = p
	}
	return shown
}

// Answer is what /readyz says: 200 and OK, or what is wrong with the status for that.
// With ?verbose, or where JSON is asked for, it is every part.
func Answer(w http.ResponseWriter, r *http.Request, parts []Part, unready int) {
	status := http.StatusOK
	if !Ready(parts) {
		status = unready
	}
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if !verbose(r) {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text(parts))
		return
	}
	if parts == nil {
		parts = []Part{}
	}
	h.Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"state": Worst(parts), "parts": parts})
}

func verbose(r *http.Request) bool {
	return r.URL.Query().Has("verbose") || strings.Contains(r.Header.Get("Accept"), "application/json")
}

// text is OK, or a line for each part that keeps requests away.
func text(parts []Part) string {
	if Ready(parts) {
		return "OK"
	}
	var b strings.Builder
	for _, p := range parts {
		if Ready([]Part{p}) {
			continue
		}
		b.WriteString(strings.TrimSpace(p.Environment + " " + p.Room + " " + p.Name))
		fmt.Fprintf(&b, ": %s", p.State)
		for _, more := range []string{p.Reason, p.Detail} {
			if more != "" {
				b.WriteString(": " + more)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

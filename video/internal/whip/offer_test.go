package whip_test

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pion/webrtc/v4"

	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/whip"
)

func FuzzOffer(f *testing.F) {
	f.Add(minimalOffer)
	f.Add(newBrowser(f, webrtc.MimeTypeH264).offer)
	f.Add(strings.ReplaceAll(newBrowser(f, webrtc.MimeTypeH264).offer, "\r\n", "\n"))
	port, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	s := whip.NewServer(whip.Options{Door: intaketest.NewDoor(key), Log: slog.New(slog.DiscardHandler)})
	go s.Serve(f.Context(), port)
	f.Fuzz(func(t *testing.T, offer string) {
		w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/whip/"+key, strings.NewReader(offer))
		r.Header.Set("Content-Type", "application/sdp")
		r.SetPathValue("streamKey", key)
		s.Post(w, r)
		switch w.Code {
		case http.StatusCreated:
			at := w.Header().Get("Location")
			r := httptest.NewRequest("DELETE", at, nil)
			r.SetPathValue("session", at[strings.LastIndexByte(at, '/')+1:])
			s.Delete(httptest.NewRecorder(), r)
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable:
		default:
			t.Errorf("got %d %s", w.Code, w.Body)
		}
	})
}

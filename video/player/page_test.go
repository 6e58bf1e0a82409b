package player_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/video/player"
)

func samplePage() player.Page {
	return player.Page{
		VideoID: "vi4k0jvEUuaTdRAEjQ4Jfagz", Title: "How to make bread", Description: "Flour, water, salt.", Language: "en", Duration: 12.5,
		HLS: "https://video.example/vod/vi4k/hls/manifest.m3u8", MP4: "https://video.example/vod/vi4k/mp4/source.mp4",
		Poster: "https://video.example/vod/vi4k/thumbnail.jpg", Storyboard: "https://video.example/vod/vi4k/storyboard.vtt",
		Captions:  []player.Track{{Language: "en", Label: "English", Src: "https://video.example/vod/vi4k/captions/en.vtt", Default: true}},
		Chapters:  []player.Track{{Language: "en", Src: "https://video.example/vod/vi4k/chapters/en.vtt"}},
		Theme:     player.Theme{TrackPlayed: "rgba(200, 30, 60, .9)", Logo: "https://video.example/logo.png", LogoLink: "https://baker.example/"},
		Collector: "https://video.example", Address: "https://video.example/vod/vi4k",
	}
}

func write(t *testing.T, p player.Page) (http.Header, string) {
	t.Helper()
	w := httptest.NewRecorder()
	if err := p.Write(w, http.StatusOK); err != nil {
		t.Fatal(err)
	}
	return w.Header(), w.Body.String()
}

func TestPageAsItIsSent(t *testing.T) {
	t.Parallel()
	bare := player.Page{VideoID: "vi1", HLS: "/vod/vi1/hls/manifest.m3u8", Theme: player.Theme{NoControls: true, HideTitle: true, NoAPI: true}}
	waiting := samplePage()
	waiting.State, waiting.Live, waiting.Air = player.Waiting, true, "https://video.example/live/li4k/air"
	ended := player.Page{
		VideoID: "li1", Live: true, Ended: true, Title: "Bread, live", HLS: "/live/li1.m3u8", Air: "/live/li1/air", Broadcast: "b1",
	}
	for name, page := range map[string]player.Page{
		"playable": samplePage(), "bare": bare, "waiting": waiting, "ended": ended, "private": {State: player.Private}, "gone": {State: player.Gone}, "failed": {State: player.Failed, Title: "Bread"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, body := write(t, page)
			goldentest.Check(t, "testdata/"+name+".html.golden", markup(body))
		})
	}
}

// markup is a page without what changes with every change of a script, and
// without the drawings of the controls.
func markup(body string) string {
	body = regexp.MustCompile(`/player/[0-9a-f]{16}/`).ReplaceAllString(body, "/player/…/")
	body = regexp.MustCompile(`"engine":"[^"]*"`).ReplaceAllString(body, `"engine":"…"`)
	body = regexp.MustCompile(`(?m)^<link rel="modulepreload".*\n`).ReplaceAllString(body, "")
	return regexp.MustCompile(`(?s)<symbol .*</symbol>\n`).ReplaceAllString(body, "…\n")
}

func TestPageMayBeFramedAndKeptByNobody(t *testing.T) {
	t.Parallel()
	h, _ := write(t, samplePage())
	for name, want := range map[string]string{
		"Content-Type": "text/html; charset=utf-8", "X-Frame-Options": "", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
	} {
		if got := h.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestPolicyNamesOnlyWhatThePageNeeds(t *testing.T) {
	t.Parallel()
	h, body := write(t, samplePage())
	style := regexp.MustCompile(`<style>(.*?)</style>`).FindStringSubmatch(body)[1]
	sum := sha256.Sum256([]byte(style))
	want := "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; " +
		"img-src 'self' https://video.example; connect-src 'self' https://video.example; media-src 'self' https://video.example blob:; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors *"
	if got := h.Get("Content-Security-Policy"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAddressCannotWidenThePolicy(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"https://a.example; script-src *", "https://a;script-src%20*/x", "javascript:alert(1)", "data:text/html,x", "https://'unsafe-inline'/x", "//[::1"} {
		p := samplePage()
		p.Poster = address
		h, _ := write(t, p)
		policy := h.Get("Content-Security-Policy")
		if strings.Count(policy, ";") != 8 || strings.Contains(policy, "unsafe") || strings.Contains(policy, "data:") || strings.Count(policy, "script-src") != 1 {
			t.Errorf("%q: got policy %s", address, policy)
		}
	}
}

func TestForeignTextStaysText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`</script><script>alert(1)</script>`, `<!--<script>`, `" onmouseover="alert(1)`, `' & < >`, "\u2067שלום\u2069 or \u2028", `</style><script>alert(1)</script>`, `{{.Data}}`,
	} {
		p := samplePage()
		p.Title, p.Description, p.Language, p.VideoID, p.Address, p.HLS, p.MP4, p.Poster, p.Storyboard = text, text, text, text, text, text, text, text, text
		p.Captions = []player.Track{{Language: text, Label: text, Src: text}}
		p.Theme = player.Theme{Text: text, Link: text, TrackPlayed: text, Logo: text, LogoLink: text}
		_, body := write(t, p)
		for _, bad := range []string{`<script>alert`, ` onmouseover="`, `<!--<script`} {
			if strings.Contains(body, bad) {
				t.Errorf("%q: got %q in the page", text, bad)
			}
		}
		var data struct{ ID string }
		raw := regexp.MustCompile(`(?s)id="data">(.*?)</script>`).FindStringSubmatch(body)[1]
		if err := json.Unmarshal([]byte(raw), &data); err != nil || data.ID != text {
			t.Errorf("got id %q (%v) in the data of the script, want %q", data.ID, err, text)
		}
	}
}

func TestLogoLinksOnlyToTheWeb(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]bool{"https://a.example/": true, "http://a.example": true, "javascript:alert(1)": false, "JaVaScRiPt:alert(1)": false, "data:text/html,x": false, "": false, "\x00https://a": false} {
		p := samplePage()
		p.Theme.LogoLink = link
		_, body := write(t, p)
		if got := strings.Contains(body, `<a class="logo"`); got != want {
			t.Errorf("%q: got a link %v, want %v", link, got, want)
		}
	}
}

func TestPagesWithoutAVideoGiveNoneOut(t *testing.T) {
	t.Parallel()
	for _, state := range []player.State{player.Private, player.Failed, player.Gone} {
		p := samplePage()
		p.State = state
		_, body := write(t, p)
		for _, bad := range []string{"manifest.m3u8", "source.mp4", "thumbnail.jpg", "<script"} {
			if strings.Contains(body, bad) {
				t.Errorf("%s: got %q in the page", state, bad)
			}
		}
	}
}

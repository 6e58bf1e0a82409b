package video_test

import (
	"encoding/binary"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/video"
)

func TestReferrers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *video.Options) { o.Referrers = []string{"Example.com", "*.example.org"} })
		p := s.plantWhole()
		for referrer, want := range map[string]int{
			"":                               200,
			"https://example.com/":           200,
			"http://EXAMPLE.com:8080/x?y":    200,
			"https://www.example.org/":       200,
			"https://a.b.example.org/":       200,
			s.url + "/vod/" + p.id:           200, // our own page, in whose frame the video plays
			"https://example.org/":           403,
			"https://www.example.com/":       403,
			"https://notexample.org/":        403,
			"https://example.com.evil.test/": 403,
			"https://evil.test/example.com":  403,
			"android-app://example.com/":     200,
			"example.com":                    403,
			"about:blank":                    403,
			"%zz":                            403,
		} {
			for _, path := range []string{"/vod/" + p.id, p.path("hls/manifest.m3u8"), p.path("hls/360p/0.m4s")} {
				if a := s.fetch("GET", path, "Referer", referrer); a.status != want {
					t.Errorf("%q, %s: got %d want %d", referrer, path, a.status, want)
				}
			}
		}
		a := s.callAs(s.key, "GET", "/videos/"+p.id, nil)
		a.want(200) // the API is no delivery
	})
}

// A cache in front would give to all what it has got for one.
func TestWhatIsNotForAllIsForNoSharedCache(t *testing.T) {
	for setting, choose := range map[string]func(*video.Options){
		"referrers": func(o *video.Options) { o.Referrers = []string{"example.com"} },
		"countries": func(o *video.Options) {
			o.Countries, o.Geo = []string{"FR"}, plantCountries(t) // which this machine is in
		},
	} {
		t.Run(setting, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, d *db.DB) {
				s := newSite(t, d, choose)
				p := s.plantWhole()
				for _, path := range []string{"hls/manifest.m3u8", "hls/360p/0.m4s"} {
					if how := s.fetch("GET", p.path(path)).wantStatus(200).header.Get("Cache-Control"); !strings.HasPrefix(how, "private, ") {
						t.Errorf("%s: got %q want it private", path, how)
					}
				}
			})
		})
	}
}

func TestAReferrerCanBeNeeded(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *video.Options) { o.Referrers, o.NeedReferrer = []string{"example.com"}, true })
		p := s.plantWhole()
		s.fetch("GET", p.path("hls/manifest.m3u8")).wantStatus(403)
		s.fetch("GET", p.path("hls/manifest.m3u8"), "Referer", "https://example.com/").wantStatus(200)
	})
}

func TestCountries(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *video.Options) {
			o.Countries, o.Geo = []string{"fr"}, plantCountries(t)
			o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		})
		p := s.plantWhole(object{"public": false})
		token := p.token()
		for from, want := range map[string]int{"200.0.0.1": 403, "2001:db8::1": 403} {
			s.fetch("GET", p.path("token/"+token+"/hls/manifest.m3u8"), "X-Forwarded-For", from).wantStatus(want)
			s.fetch("GET", p.path("token/"+token+"/session"), "X-Forwarded-For", from).wantStatus(want)
			a := s.fetch("GET", "/vod/"+p.id+"?token="+token, "X-Forwarded-For", from).wantStatus(want)
			if !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") {
				t.Errorf("got %s want words for people", a.body)
			}
		}
		s.fetch("GET", p.path("token/"+token+"/hls/manifest.m3u8"), "X-Forwarded-For", "10.0.0.1").wantStatus(200)
	})
}

func TestAGateWithoutCountriesOfAddresses(t *testing.T) {
	t.Parallel()
	_, err := video.New(t.Context(), video.Options{Config: video.Config{Countries: []string{"FR"}, Geo: filepath.Join(t.TempDir(), "none.mmdb")}})
	if err == nil || !strings.Contains(err.Error(), "video_geo") {
		t.Errorf("got %v want the setting named", err)
	}
}

// plantCountries writes a database in which half of the IPv4 addresses, up to
// 127.255.255.255, are in France and the others in Australia.
func plantCountries(t *testing.T) string {
	t.Helper()
	short := func(n byte) string { return string([]byte{5<<5 | 1, n}) }
	text := func(s string) string { return string([]byte{byte(2<<5 | len(s))}) + s }
	pairs := func(kv ...string) string { return string([]byte{byte(7<<5 | len(kv)/2)}) + strings.Join(kv, "") }
	country := func(code string) string { return pairs(text("country"), pairs(text("iso_code"), text(code))) }
	france, australia := country("FR"), country("AU")
	var node []byte
	for _, offset := range []int{0, len(france)} {
		node = append(node, binary.BigEndian.AppendUint32(nil, uint32(1+16+offset))[1:]...)
	}
	file := string(node) + strings.Repeat("\x00", 16) + france + australia + "\xab\xcd\xefMaxMind.com" + pairs(
		text("binary_format_major_version"), short(2), text("binary_format_minor_version"), short(0),
		text("build_epoch"), "\x01\x02\x01", text("database_type"), text("Test"), text("description"), pairs(),
		text("ip_version"), short(4), text("languages"), "\x00\x04", text("node_count"), "\xc1\x01", text("record_size"), short(24))
	path := filepath.Join(t.TempDir(), "countries.mmdb")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

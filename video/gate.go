package video

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/oschwald/maxminddb-golang/v2"

	"stoa/internal/web"
	"stoa/video/internal/problem"
)

// What the operator has closed to a viewer.
var (
	errReferrer = problem.New(http.StatusForbidden, "forbidden", "This video may not be shown on this site.")
	errCountry  = problem.New(http.StatusForbidden, "forbidden", "This video may not be watched in this country.")
)

// gate is who may be shown videos, by the page that shows them and by country.
type gate struct {
	referrers    []string // in small letters; none: all
	own          string   // host of our own pages, which may always
	needReferrer bool
	countries    []string          // in capitals; none: all
	atlas        *maxminddb.Reader // nil where nobody asks
	proxies      []netip.Prefix
}

func openGate(o Options) (*gate, error) {
	g := &gate{needReferrer: o.NeedReferrer, proxies: o.Proxies}
	if own, err := url.Parse(o.Origin); err == nil {
		g.own = strings.ToLower(own.Hostname())
	}
	for _, host := range o.Referrers {
		g.referrers = append(g.referrers, strings.ToLower(strings.TrimSpace(host)))
	}
	for _, country := range o.Countries {
		g.countries = append(g.countries, strings.ToUpper(strings.TrimSpace(country)))
	}
	if len(g.countries) == 0 {
		return g, nil
	}
	atlas, err := maxminddb.Open(o.Geo)
	if err != nil {
		return nil, fmt.Errorf("video_geo: give the path of a MaxMind database, which video_countries needs: %w", err)
	}
	g.atlas = atlas
	return g, nil
}

// chooses tells whether anybody can be refused, so that what one viewer got is not for
// others.
func (g *gate) chooses() bool { return len(g.referrers)+len(g.countries) > 0 }

// check refuses a request that the operator does not want.
func (g *gate) check(r *http.Request) error {
	if len(g.referrers) > 0 && !g.welcome(r.Referer()) {
		return errReferrer
	}
	if len(g.countries) > 0 && !slices.Contains(g.countries, g.country(r)) {
		return errCountry
	}
	return nil
}

func (g *gate) welcome(referrer string) bool {
	if referrer == "" {
		return !g.needReferrer
	}
	page, err := url.Parse(referrer)
	if err != nil {
		return false
	}
	host := strings.TrimSuffix(strings.ToLower(page.Hostname()), ".")
	return host != "" && (host == g.own || slices.ContainsFunc(g.referrers, func(listed string) bool {
		if parent, wild := strings.CutPrefix(listed, "*."); wild {
			return strings.HasSuffix(host, "."+parent)
		}
		return host == listed
	}))
}

// country is the code of where a viewer is, "" when not known: then he is not on any
// list.
func (g *gate) country(r *http.Request) string {
	address := web.ClientAddress(r, g.proxies)
	if !address.IsValid() {
		return ""
	}
	var code string
	if err := g.atlas.Lookup(address.Unmap()).DecodePath(&code, "country", "iso_code"); err != nil {
		return ""
	}
	return code
}

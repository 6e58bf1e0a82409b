package analytics

import (
	"fmt"
	"net/netip"

	"github.com/oschwald/maxminddb-golang/v2"
)

// atlas tells the country of an address. Its file stays open as long as the process
// lives: a request may look into it until the end.
type atlas struct {
	file *maxminddb.Reader // nil: every country is unknown
}

func openAtlas(path string) (*atlas, error) {
	if path == "" {
		return &atlas{}, nil
	}
	file, err := maxminddb.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the database of countries cannot be opened: give the path of a MaxMind file, or none: %w", err)
	}
	return &atlas{file}, nil
}

// find tells the continent and the ISO code of the country, or unknown. What the
// file calls Oceania has the code AZ in this API.
func (a *atlas) find(address netip.Addr) (continent, country string) {
	if a.file == nil || !address.IsValid() {
		return unknown, unknown
	}
	var record struct {
		Continent struct {
			Code string `maxminddb:"code"`
		} `maxminddb:"continent"`
		Country struct {
			Code string `maxminddb:"iso_code"`
		} `maxminddb:"country"`
	}
	if a.file.Lookup(address.Unmap()).Decode(&record) != nil {
		return unknown, unknown
	}
	continent, country = record.Continent.Code, record.Country.Code
	if continent == "OC" {
		continent = "AZ"
	}
	if !isContinent(continent) {
		continent = unknown
	}
	if !isCountry(country) {
		country = unknown
	}
	return continent, country
}

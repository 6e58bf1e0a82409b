package analytics

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"stoa/video/internal/problem"
)

// filter says which playbacks a question is about. An empty list is no filter.
type filter struct {
	live  *bool
	tag   *string
	lists map[string][]string // values by column
}

// filterColumns are the columns of the lists, by their names in a query.
var filterColumns = map[string]string{
	"mediaId": "x.media", "continent": "a.continent", "country": "a.country", "deviceType": "a.device",
	"operatingSystem": "a.system", "browser": "a.browser", "referrer": "a.referrer",
}

var (
	continents = []string{"AS", "AF", "NA", "SA", "AN", "EU", "AZ", unknown}
	devices    = []string{"computer", "phone", "tablet", "tv", "console", "wearable", unknown}
)

func isContinent(text string) bool { return slices.Contains(continents, text) }

func isCountry(text string) bool {
	return text == unknown || len(text) == 2 && 'A' <= text[0] && text[0] <= 'Z' && 'A' <= text[1] && text[1] <= 'Z'
}

// filterName is filterBy[country], filterBy[country][] or filterBy[country][0].
var filterName = regexp.MustCompile(`^filterBy\[([A-Za-z]+)\](?:\[(\d{0,4})\])?$`)

// maxValues is how many values a list may have.
const maxValues = 500

// parseFilter reads all filterBy parameters. Only those named in allowed may be
// there, if any are named.
func parseFilter(query url.Values, allowed ...string) (filter, error) {
	f := filter{lists: map[string][]string{}}
	var problems []*problem.Error
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !strings.HasPrefix(name, "filterBy") {
			continue
		}
		parts := filterName.FindStringSubmatch(name)
		if parts == nil {
			problems = append(problems, problem.Query(name, "Write a filter with its name in brackets, such as filterBy[country]."))
			continue
		}
		if len(allowed) > 0 && !slices.Contains(allowed, parts[1]) {
			problems = append(problems, problem.Query(name, "This filter is not known here: use %s.", strings.Join(allowed, " or ")))
			continue
		}
		for _, value := range query[name] {
			if wrong := f.set(parts[1], value); wrong != nil {
				problems = append(problems, wrong)
			}
		}
	}
	return f, problem.All(problems...)
}

func (f *filter) set(name, value string) *problem.Error {
	full := "filterBy[" + name + "]"
	if !utf8.ValidString(value) || strings.ContainsRune(value, 0) {
		return problem.Query(full, "This must be text in UTF-8.")
	}
	switch name {
	case "mediaType":
		if value != "video" && value != "live-stream" {
			return problem.Query(full, "The media type is video or live-stream.")
		}
		f.live = new(value == "live-stream")
		return nil
	case "tag":
		f.tag = &value
		return nil
	}
	column, known := filterColumns[name]
	if !known {
		return problem.Query(full, "This filter is not known: use mediaId, mediaType, continent, country, deviceType, operatingSystem, browser, referrer or tag.")
	}
	if wrong := checkFilter(name, value); wrong != "" {
		return problem.Query(full, "%s", wrong)
	}
	if len(f.lists[column]) >= maxValues {
		return problem.Query(full, "At most %d values are taken.", maxValues)
	}
	f.lists[column] = append(f.lists[column], value)
	return nil
}

// checkFilter says what is wrong with a value.
func checkFilter(name, value string) string {
	switch {
	case name == "continent" && !isContinent(value):
		return "The continent is one of AS, AF, NA, SA, AN, EU and AZ."
	case name == "country" && !isCountry(value):
		return "The country is an ISO code of two capital letters, such as FR."
	case name == "deviceType" && !slices.Contains(devices, value):
		return "The device type is one of computer, phone, tablet, tv, console, wearable and unknown."
	case name == "referrer" && len(value) > maxReferrer:
		return "The referrer has at most 2048 characters."
	}
	return ""
}

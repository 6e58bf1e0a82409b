package stats

import (
	"regexp"
	"strings"
)

var (
	ipv4      = regexp.MustCompile(`\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}`)
	delimiter = strings.NewReplacer(":", "_", "|", "_")
	lineBreak = strings.NewReplacer("\n", "_", "\r", "_")
)

// Clean returns name as a statistic may be called: ':' and '|', which delimit
// StatsD lines, become '_', and so do the dots of IPv4 addresses, which would
// pass for levels of the path. Nothing else changes, and cleaning twice
// changes nothing more.
func Clean(name string) string {
	name = delimiter.Replace(name)
	for strings.Count(name, ".") >= 3 {
		cleaned := ipv4.ReplaceAllStringFunc(name, func(ip string) string {
			return strings.ReplaceAll(ip, ".", "_")
		})
		if cleaned == name {
			break
		}
		name = cleaned
	}
	return name
}

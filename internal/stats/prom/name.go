package prom

import "strings"

// metricName turns every character that a metric name may not have into '_'.
func metricName(name string) string {
	escaped := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_':
			return r
		}
		return '_'
	}, name)
	if escaped != "" && escaped[0] >= '0' && escaped[0] <= '9' {
		return "_" + escaped
	}
	return escaped
}

// labelName does the same for labels, of which Prometheus keeps some names for
// itself.
func labelName(key string) string {
	name := metricName(key)
	for strings.HasPrefix(name, "__") {
		name = name[1:]
	}
	switch name {
	case "le", "quantile":
		return "exported_" + name
	}
	return name
}

// labelValue lets through everything but broken UTF-8, which a scrape refuses.
func labelValue(value string) string {
	return strings.ToValidUTF8(value, "\uFFFD")
}
